// SPDX-License-Identifier: MIT
// capture run --target local: with the capture tool in the program's HSA runtime.
#include <fmt/format.h>

#include "engine/target/local/local_capture.h"
#include "engine/target/traits.h"
#include "shell/commands/capture/capture_run.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/inputs/opened.h"

namespace rpl {

Result<Document> capture_locally(Context& context, const CaptureRunArgs& args) {
  if (!args.gpu.empty() || args.devices != 0)
    TRY(require(TargetKind::local, Ability::emulated_devices));
  const CaptureWish wish = TRY(wish_of(context, args));
  profile::LocalCaptureRequest request{.argv = args.program,
                                       .wish = wish,
                                       .drain = std::chrono::seconds(args.drain_s),
                                       .dispatch = std::chrono::seconds(args.dispatch_s),
                                       .timeout = std::chrono::seconds(args.timeout_s)};
  if (!args.quiet) request.on_line = shown_lines(context);
  const auto outcome = TRY(profile::run_with_capture_tool(request));
  std::vector<ProcessCapture> processes;
  for (const intercept::Report& report : outcome.reports) {
    if (report.runtime.empty() && !report.failure.empty()) {
      return fail(Errc::unsupported, fmt::format("{} ran, but nothing could be captured: {}",
                                                 args.program.front(), report.failure));
    }
    processes.push_back({.folder = report.folder,
                         .failure = report.failure,
                         .matches = report.matches,
                         .dispatches = report.dispatches});
  }
  if (processes.empty() && outcome.exit.ok()) {
    return fail(Errc::verification_failed,
                fmt::format("{} ran, but no HSA runtime in it loaded the capture tool",
                            args.program.front()),
                "HSA_TOOLS_REPORT_LOAD_FAILURE=1 says why; without a GPU: --target emu");
  }
  return captured(context, args, wish, outcome.exit, processes,
                  outcome.reports.empty() ? std::string() : outcome.reports.front().agent);
}

}  // namespace rpl
