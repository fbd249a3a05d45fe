// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/local.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "engine/hsa/library.h"
#include "engine/process/run.h"
#include "engine/replay/hsa/job.h"

namespace rpl {
namespace {

/// Reading, hashing and copying a snapshot goes at this pace at least.
constexpr std::int64_t kBytesPerMs = 100'000;
constexpr std::chrono::milliseconds kUsualTimeout{60'000};

ReplayJobFile job_of(const ReplayPlan& plan, bool reserve_only) {
  ReplayJobFile job{.capture = std::filesystem::absolute(plan.folder).string(),
                    .variant = {},
                    .other = {},
                    .sides = {},
                    .kernel = plan.kernel,
                    .launch = to_text(plan.launch),
                    .other_launch = to_text(plan.other_launch),
                    .host_regions = plan.host_regions,
                    .ranges = page_ranges(*plan.capture, plan.host_regions, kHostPage)};
  job.sides.assign(plan.sides.begin(), plan.sides.end());
  job.iterations = plan.iterations;
  job.warmup = plan.warmup;
  job.timeout_ms = plan.timeout.count();
  job.recopy = plan.recopy;
  job.cold = plan.cold;
  job.reserve_only = reserve_only;
  return job;
}

/// Of the whole process: one time-out to set up, one for each run, and what moving the snapshot takes.
std::chrono::milliseconds limit_of(const ReplayPlan& plan) {
  const auto each = plan.timeout.count() > 0 ? plan.timeout : kUsualTimeout;
  const auto runs = plan.iterations + plan.warmup + 1;
  const auto moving = static_cast<std::int64_t>(memory_bytes(*plan.capture)) / kBytesPerMs *
                      (plan.iterations + plan.warmup + 4);
  return each * runs + std::chrono::milliseconds(moving);
}

std::string stage_in(const std::string& folder) {
  const auto text = read_text_file(folder + "/" + kStageFile);
  const std::string stage = text ? text->substr(0, text->find('\0')) : std::string();
  return stage.empty() ? "starting" : stage;
}

/// What of stderr says most about a sudden end.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t before = text.rfind('\n', end);
  return text.substr(before + 1, end - before);
}

Failure no_result(const Exit& exit, std::chrono::milliseconds limit, const std::string& folder) {
  const std::string stage = stage_in(folder);
  if (exit.timed_out) {
    return fail(Errc::timeout,
                fmt::format("the process that replays did not end within {} s; it was in {}",
                            limit.count() / 1000, stage),
                "--timeout gives each run more time");
  }
  const std::string how = exit.signal != 0 ? fmt::format("was ended by signal {}", exit.signal)
                                           : fmt::format("ended with status {}", exit.code);
  const std::string said = last_line(exit.err.text);
  return fail(Errc::io, fmt::format("the process that replays {} in {}{}{}", how, stage,
                                    said.empty() ? "" : ": ", said));
}

Result<ReplayResultFile> start_worker(const ReplayPlan& plan, const LocalOptions& options,
                                      const std::string& folder, bool fixed) {
  std::error_code ignored;
  std::filesystem::remove(folder + "/" + kResultFile, ignored);
  Spawn spawn{.argv = {options.program, kWorkerOption, folder}, .timeout = limit_of(plan)};
  if (fixed) spawn.argv.emplace_back("fixed");
  const Exit exit = TRY(run(spawn));
  const auto text = read_text_file(folder + "/" + kResultFile);
  if (!text) return no_result(exit, spawn.timeout, folder);
  return result_from(TRY(parse_json(*text)));
}

/// Until memory can be placed. A process without address randomization is the same each time, so that a second one like it is of no use
/// unless the addresses are still randomized.
Result<ReplayResultFile> start_workers(const ReplayPlan& plan, const LocalOptions& options,
                                       const std::string& folder, bool reserve_only,
                                       int& attempts) {
  ReplayJobFile job = job_of(plan, reserve_only);
  if (plan.object != nullptr) {
    job.variant = folder + "/" + kVariantFile;
    TRY(write_file(job.variant, plan.object->bytes()));
  }
  if (plan.other != nullptr) {
    job.other = folder + "/" + kOtherFile;
    TRY(write_file(job.other, plan.other->bytes()));
  }
  TRY(write_file(folder + "/" + kJobFile, to_json(to_value(job))));
  for (attempts = 1;; ++attempts) {
    ReplayResultFile result = TRY(start_worker(plan, options, folder, attempts > 1));
    const bool worth_another =
        !result.conflicts.empty() && result.randomized && attempts < options.attempts;
    if (!worth_another) return result;
  }
}

Failure displaced(const ReplayPlan& plan, const ReplayResultFile& result, int attempts) {
  const auto ranges = page_ranges(*plan.capture, plan.host_regions, kHostPage);
  constexpr std::size_t kShown = 5;
  std::string text = fmt::format("memory cannot lie where it lay, after {} attempts", attempts);
  for (std::size_t i = 0; i < std::min(kShown, result.conflicts.size()); ++i)
    text += (i == 0 ? ": " : "; ") + conflict_text(*plan.capture, ranges, result.conflicts[i]);
  if (result.conflicts.size() > kShown)
    text += fmt::format("; and {} more", result.conflicts.size() - kShown);
  const char* hint =
      result.randomized ? "this system does not let a program switch address randomization off "
                          "(personality); --target emu replays anywhere"
                        : "'replay reserve-check' lists all of them; --target emu replays anywhere";
  return fail(Errc::denied, text, hint);
}

}  // namespace

Result<ReplaySeries> replay_locally(const ReplayPlan& plan, const LocalOptions& options) {
  TRY(require_one_dispatch(*plan.capture, kReplayOnGpu));
  TRY(kernel_that_fits(*plan.capture, plan.object ? *plan.object : *TRY(object_of(*plan.capture)),
                       plan.kernel, plan.launch));
  if (plan.other) TRY(kernel_that_fits(*plan.capture, *plan.other, plan.kernel, plan.other_launch));
  const ScratchFolder folder = TRY(ScratchFolder::make("replay"));
  int attempts = 0;
  ReplayResultFile result = TRY(start_workers(plan, options, folder.path(), false, attempts));
  if (!result.conflicts.empty()) return displaced(plan, result, attempts);
  if (result.error) return Failure(std::move(*result.error));
  if (!result.series.device)
    return fail(Errc::internal, "the process that replays reported no device");
  result.series.device->attempts = attempts;
  for (const std::size_t region : result.differing)
    result.series.differing[region] =
        TRY(read_binary_file(folder.path() + "/" + memory_file(region)));
  for (const std::size_t region : result.other_differing)
    result.series.other_differing[region] =
        TRY(read_binary_file(folder.path() + "/" + other_memory_file(region)));
  return std::move(result.series);
}

Result<ReserveReport> reserve_check(const ReplayPlan& plan, const LocalOptions& options) {
  const ScratchFolder folder = TRY(ScratchFolder::make("replay"));
  ReserveReport report{.ranges = page_ranges(*plan.capture, plan.host_regions, kHostPage),
                       .conflicts = {}};
  ReplayResultFile result = TRY(start_workers(plan, options, folder.path(), true, report.attempts));
  if (result.error && result.conflicts.empty()) return Failure(std::move(*result.error));
  report.conflicts = std::move(result.conflicts);
  return report;
}

namespace {

constexpr unsigned long kAskPersonality = 0xffffffff;

bool is_randomized() { return (::personality(kAskPersonality) & ADDR_NO_RANDOMIZE) == 0; }

/// Starts this program again without address randomization. Returns only where that cannot be had.
void fix_addresses(char** argv) {
  const int now = ::personality(kAskPersonality);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
  ::execv("/proc/self/exe", argv);
}

/// Says in a file where the work is, so that it is known when the process does not come back.
class StageFile {
 public:
  explicit StageFile(const std::string& folder)
      : file_(::open((folder + "/" + kStageFile).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) {}
  void write(std::string_view function, std::string_view about) const {
    constexpr std::size_t kRoom = 2048;
    std::string text(kRoom, '\0');
    fmt::format("{} of {}", function, about).copy(text.data(), kRoom);
    [[maybe_unused]] const auto written = ::pwrite(file_.get(), text.data(), text.size(), 0);
  }

 private:
  UniqueFd file_;
};

/// Memory that differs from the post image, for who asked.
Status write_memory(const std::string& folder, ReplayResultFile& result) {
  for (const auto& [region, bytes] : result.series.differing) {
    TRY(write_file(folder + "/" + memory_file(region), std::span<const std::byte>(bytes)));
    result.differing.push_back(region);
  }
  for (const auto& [region, bytes] : result.series.other_differing) {
    TRY(write_file(folder + "/" + other_memory_file(region), std::span<const std::byte>(bytes)));
    result.other_differing.push_back(region);
  }
  return {};
}

Status do_job(const std::string& folder, const ReplayJobFile& job, Steering& steering,
              ReplayResultFile& result) {
  const StageFile stage(folder);
  stage.write("reading", "the capture");
  const Capture capture = TRY(read_capture(job.capture));
  const LaunchPlan launch = TRY(launch_plan_from(job.launch)),
                   other_launch = TRY(launch_plan_from(job.other_launch));
  ReplayPlan plan{.capture = &capture,
                  .folder = job.capture,
                  .kernel = job.kernel,
                  .launch = launch,
                  .other_launch = other_launch,
                  .iterations = job.iterations,
                  .warmup = job.warmup,
                  .recopy = job.recopy,
                  .cold = job.cold,
                  .host_regions = job.host_regions,
                  .timeout = std::chrono::milliseconds(job.timeout_ms)};
  if (!job.variant.empty()) plan.object = TRY(isa::CodeObject::open(job.variant));
  if (!job.other.empty()) plan.other = TRY(isa::CodeObject::open(job.other));
  for (const std::size_t side : job.sides) plan.sides.push_back(side != 0);
  stage.write("opening", "the HSA runtime");
  const hsa::Library library = TRY(hsa::open_library());
  Placement placement;
  const auto tell = [&](std::string_view function, std::string_view about) {
    stage.write(function, about);
  };
  if (job.reserve_only) {
    const Status reserved = reserve_on_hsa(library.api, plan, steering, placement, tell);
    result.conflicts = placement.conflicts;
    return reserved;
  }
  auto series = replay_on_hsa(library.api, plan, steering, placement, tell);
  result.conflicts = placement.conflicts;
  if (!series) return std::move(series).failure();
  result.series = std::move(*series);
  if (result.series.device) result.series.device->rocm_version = library.rocm_version;
  return write_memory(folder, result);
}

}  // namespace

Status work_on_replay(const std::string& folder) {
  const ReplayJobFile job =
      TRY(job_from(TRY(parse_json(TRY(read_text_file(folder + "/" + kJobFile))))));
  Steering steering;
  ReplayResultFile result;
  result.conflicts = steering.hold(job.ranges);
  result.randomized = is_randomized();
  if (result.conflicts.empty()) {
    if (auto done = do_job(folder, job, steering, result); !done)
      result.error = std::move(done).error();
  }
  return write_file(folder + "/" + kResultFile, to_json(to_value(result)));
}

int replay_worker(int argc, char** argv) {
  constexpr int kFolder = 2, kFixed = 3;
  if (argc <= kFolder) return 2;
  if (argc > kFixed && std::strcmp(argv[kFixed], "fixed") == 0) fix_addresses(argv);
  return work_on_replay(argv[kFolder]) ? 0 : 1;
}

}  // namespace rpl
