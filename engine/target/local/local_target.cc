// SPDX-License-Identifier: MIT
#include "engine/target/local/local_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/intercept/live.h"
#include "engine/intercept/report.h"
#include "engine/process/emulated_hip.h"
#include "engine/target/emu/host_runs.h"
#include "engine/target/emu/program_check.h"

namespace rpl {

Status LocalTarget::find_recorder() {
  if (!recorder_) recorder_ = TRY(profile::find_recorder(profile::this_machine()));
  return {};
}

Status LocalTarget::can_replay() const {
  if (!replays_.program.empty()) return {};
  return fail(Errc::missing_capability,
              "this program cannot start itself to replay in a process of its own",
              "use rpl itself, or --target emu");
}

Status LocalTarget::prepare(Ability need) {
  const bool records = need != Ability::capture && need != Ability::replay;
  if (records) TRY(find_recorder());
  if (need == Ability::optimize || need == Ability::capture) TRY(profile::capture_tool());
  return {};
}

Result<ProfileRun> LocalTarget::profile(const ProfileRequest& request) {
  if (request.from_outside) return profile::profile_from_outside(request, std::nullopt);
  TRY(find_recorder());
  // rocprofv3 itself says that with a stack trace.
  TRY(profile::found_in_path(request.argv.front(), request.cwd));
  return profile_under(*recorder_, request);
}

Result<CaptureRun> LocalTarget::capture(const CaptureRequest& request) {
  if (request.wish.slice) TRY(require(kind(), Ability::several_dispatches));
  return profile::run_with_capture_tool(request);
}

Result<ReplaySeries> LocalTarget::replay(const ReplayPlan& plan) {
  TRY(can_replay());
  return replay_locally(plan, replays_);
}

Result<ReserveReport> LocalTarget::reserve_check(const ReplayPlan& plan) {
  TRY(can_replay());
  return rpl::reserve_check(plan, replays_);
}

}  // namespace rpl

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;
constexpr const char* kTool = "librpl_capture.so";

std::vector<std::string> environment_of(const CaptureRequest& request, const std::string& tool,
                                        const std::string& reports) {
  const CaptureWish& wish = request.wish;
  // The user's own tools stay; the runtime loads them in this order.
  const char* others = std::getenv("HSA_TOOLS_LIB");
  std::vector<std::string> out = {
      fmt::format("HSA_TOOLS_LIB={}{}{}", tool, others == nullptr ? "" : " ",
                  others == nullptr ? "" : others),
      // Where rocprofiler-register is there, runtimes since ROCm 6.1 load such tools only when told.
      "HSA_TOOLS_ROCPROFILER_V1_TOOLS=1", "RPL_CAPTURE_KERNEL=" + wish.kernel,
      fmt::format("RPL_CAPTURE_DISPATCH={}", wish.dispatch),
      "RPL_CAPTURE_GRID=" +
          (wish.grid ? fmt::format("{}", fmt::join(*wish.grid, ",")) : std::string()),
      fmt::format("RPL_CAPTURE_LONGER_US={}", wish.longer_us),
      "RPL_CAPTURE_FOLDER=" + fs::absolute(wish.folder).string(),
      fmt::format("RPL_CAPTURE_SCOPE={}", wish.all_memory ? "all" : "reachable"),
      fmt::format("RPL_CAPTURE_LIMIT={}", wish.most_bytes), "RPL_CAPTURE_REPORTS=" + reports};
  // Whether it can be asked while it runs or not, it captures.
  if (const auto folder = intercept::live_folder()) out.push_back("RPL_CAPTURE_CONTROL=" + *folder);
  if (request.drain.count() != 0)
    out.push_back(fmt::format("RPL_CAPTURE_DRAIN_MS={}", request.drain.count()));
  if (request.dispatch.count() != 0)
    out.push_back(fmt::format("RPL_CAPTURE_DISPATCH_MS={}", request.dispatch.count()));
  return out;
}

Result<std::vector<intercept::Report>> reports_in(const std::string& folder) {
  std::vector<intercept::Report> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    out.push_back(TRY(intercept::parse_report(TRY(read_text_file(entry.path().string())))));
  }
  std::ranges::sort(out, {}, &intercept::Report::pid);
  return out;
}

}  // namespace

Result<std::string> capture_tool() {
  if (const auto folder = companion_folder("RPL_CAPTURE_TOOL", "capture-tool", kTool))
    return (fs::path(*folder) / kTool).string();
  return fail(
      Errc::missing_capability, fmt::format("the capture tool {} is not there", kTool),
      companion_command("rpl_capture_library") + ", or name its folder in RPL_CAPTURE_TOOL");
}

Result<CaptureRun> run_with_capture_tool(const CaptureRequest& request) {
  const std::string tool = TRY(capture_tool());
  const ScratchFolder reports = TRY(ScratchFolder::make("capture"));
  CaptureRun out;
  out.exit = TRY(run({.argv = request.argv,
                      .env = environment_of(request, tool, reports.path()),
                      .timeout = request.timeout,
                      .on_line = request.on_line}));
  for (intercept::Report& report : TRY(reports_in(reports.path()))) {
    if (out.processes.empty()) out.gpu = std::move(report.agent);
    out.processes.push_back({.folder = std::move(report.folder),
                             .failure = std::move(report.failure),
                             .matches = report.matches,
                             .dispatches = std::move(report.dispatches),
                             .watched = !report.runtime.empty()});
  }
  return out;
}

}  // namespace rpl::profile
