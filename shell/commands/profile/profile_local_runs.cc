// SPDX-License-Identifier: MIT
// The runs of a program under rocprofv3 that one profile takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/monitor.h"
#include "engine/target/emu/program_check.h"
#include "engine/target/local/counter_join.h"
#include "shell/commands/profile/profile_local.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr double kNsOfMs = 1e6;

/// What was printed lies beside what was recorded.
Status keep_printed(const profile::RecordedRun& run) {
  const auto keep = [&](const char* name, const Captured& printed) -> Status {
    return printed.text.empty()
               ? Status()
               : write_file((fs::path(run.run.folder) / name).string(), printed.text);
  };
  TRY(keep("stdout.txt", run.exit.out));
  return keep("stderr.txt", run.exit.err);
}

double kernels_ms(const profile::RecordedRun& run) {
  double ns = 0;
  for (const auto& database : run.databases) ns += database.kernel_ns;
  return ns / kNsOfMs;
}

}  // namespace

Result<LocalRuns> LocalRuns::start(Context& context, const ProfileRunArgs& args,
                                   const ProfilePlan& plan) {
  profile::Recorder recorder = TRY(profile::find_recorder(profile::this_machine()));
  // rocprofv3 itself says that with a stack trace.
  TRY(profile::found_in_path(plan.argv.front()));
  return LocalRuns(context, args, plan, std::move(recorder));
}

profile::RecorderRequest LocalRuns::request(const std::string& folder) const {
  profile::RecorderRequest out{.recorder = recorder_.path,
                               .argv = plan_.argv,
                               .folder = folder,
                               .hsa = args_.focus_critical};
  out.thread_trace.decoder_folder = recorder_.decoder_folder;
  return out;
}

Result<profile::RecordedRun> LocalRuns::record(const profile::RecorderRequest& request,
                                               const profile::RecorderRun& run, bool shown,
                                               std::chrono::milliseconds limit) {
  if (args_.debug) notes_.push_back("debug: " + command_line(run.argv));
  profile::RecordOptions options{.timeout = limit};
  if ((shown || args_.debug) && plan_.on_line) {
    options.on_line = [this](OutputStream stream, std::string_view line) {
      const bool hidden =
          !args_.debug && stream == OutputStream::err && profile::recorder_says(line);
      if (!hidden) plan_.on_line(stream, line);
    };
  }
  auto out = TRY(profile::record(request, run, options));
  TRY(keep_printed(out));
  return out;
}

Result<profile::RecordedRun> LocalRuns::record_one(profile::RecorderRequest request, bool shown) {
  const auto runs = TRY(profile::recorder_runs(request, recorder_.version));
  return record(request, runs.back(), shown, plan_.timeout);
}

void LocalRuns::note(const profile::RecordedRun& run, const std::string& before) {
  for (const profile::RecorderFinding& finding : run.findings) {
    notes_.push_back(fmt::format("{}{}{}{}", before, finding.message,
                                 finding.hint.empty() ? "" : "; ", finding.hint));
  }
}

Status LocalRuns::trace() {
  for (std::size_t i = 1; i <= plan_.runs; ++i) {
    if (plan_.runs > 1) context_.face().announce(fmt::format("run {} of {}", i, plan_.runs));
    const std::string folder =
        i == 1 ? plan_.folder : (fs::path(plan_.folder) / fmt::format("run_{}", i)).string();
    profile::RecordedRun run = TRY(record_one(request(folder), true));
    if (i == 1 && (run.fatal() != nullptr || run.usable().empty()))
      return Failure(profile::error_of(run));  // --debug has shown the rest
    if (run.usable().empty()) {
      note(run, fmt::format("run {}: ", i));
      break;
    }
    runtime_ms_.push_back(kernels_ms(run));
    note(run, i == 1 ? "" : fmt::format("run {}: ", i));
    const bool ended_well = run.exit.ok();
    if (i == 1) {
      databases_ = run.usable();
      first_ = std::move(run);
    }
    if (!ended_well) break;
  }
  return {};
}

Status LocalRuns::count_pass(const std::vector<std::string>& counters) {
  profile::RecorderRequest counting = request(plan_.folder);
  counting.counter_passes = {counters};
  counting.first_pass = ++pass_runs_;
  const profile::RecorderRun wanted = TRY(profile::recorder_runs(counting, recorder_.version))
  .back();
  context_.face().announce(fmt::format("counting, pass {}", wanted.pass));
  const auto watchdog = profile::counting_limit(first_.exit.wall);
  const profile::RecordedRun ended =
      TRY(record(counting, wanted, false,
                 plan_.timeout.count() > 0 ? std::min(plan_.timeout, watchdog) : watchdog));
  note(ended, fmt::format("pass {} ({}): ", wanted.pass, fmt::join(counters, " ")));
  if (const auto usable = ended.usable(); !usable.empty())
    counted_.emplace_back(wanted.pass, usable);
  const auto* failed = ended.fatal();
  const bool too_many =
      failed != nullptr && (failed->failure == profile::RecorderFailure::counters_exceed ||
                            failed->failure == profile::RecorderFailure::hanging);
  if (!too_many || counters.size() < 2) return {};
  // The limits are those of tables, and this GPU or its recorder has others.
  const auto middle = counters.begin() + static_cast<std::ptrdiff_t>(counters.size() / 2);
  notes_.push_back(fmt::format("pass {} is done again in two halves", wanted.pass));
  TRY(count_pass({counters.begin(), middle}));
  return count_pass({middle, counters.end()});
}

Status LocalRuns::count() {
  const std::string arch = profile::recorded_architecture(databases_.front());
  const auto planned = TRY(passes_to_record(context_, args_, arch));
  if (planned.empty()) return {};
  const profile::CheckedPasses checked = TRY(profile::check_passes(recorder_, planned));
  if (!checked.refused.empty())
    notes_.push_back(fmt::format("this GPU does not count {}: rocprofv3-avail refuses",
                                 fmt::join(checked.refused, ", ")));
  for (const auto& pass : checked.passes) TRY(count_pass(pass));
  passes_ = counted_.size();
  return counted_.empty() ? Status() : join();
}

Status LocalRuns::join() {
  std::vector<profile::CounterPassFiles> passes;
  for (const auto& [pass, files] : counted_) passes.push_back({pass, files});
  auto joined =
      profile::join_counters(databases_, passes, (fs::path(plan_.folder) / "counted").string());
  if (!joined) {
    if (joined.error().code == Errc::interrupted) return std::move(joined).failure();
    notes_.push_back(
        fmt::format("the counters could not be put to the dispatches: {}; they lie in {}/counters",
                    joined.error().message, plan_.folder));
    return {};
  }
  for (std::string& said : joined->notes) notes_.push_back(std::move(said));
  databases_ = std::move(joined->databases);
  return {};
}

Result<bool> LocalRuns::trace_threads(const std::string& kernel) {
  if (kernel.empty()) return false;
  profile::RecorderRequest tracing = request(plan_.folder);
  tracing.thread_trace.kernel = kernel;
  const profile::RecordedRun run = TRY(record_one(std::move(tracing), false));
  note(run, "thread trace: ");
  bool opened = false;
  for (const std::string& folder : run.files) {
    const auto trace = thread_trace_named(context_, folder);
    opened |= trace.has_value();
    if (!trace) notes_.push_back(fmt::format("thread trace: {}", trace.error().message));
  }
  return opened;
}

Status LocalRuns::sample() {
  profile::RecorderRequest sampling = request(plan_.folder);
  sampling.pc_sampling = TRY(profile::pc_sampling_of(args_.pc_sampling));
  if (sampling.pc_sampling == profile::PcSampling::none) return {};
  const profile::RecordedRun run = TRY(record_one(std::move(sampling), false));
  note(run, "PC sampling: ");
  if (run.files.empty()) return {};
  // JSON has addresses, and comes first.
  const auto opened = thread_trace_named(context_, run.files.front());
  if (opened) {
    sampled_ = one_line(*opened);
  } else {
    notes_.push_back(fmt::format("PC sampling: {}", opened.error().message));
  }
  return {};
}

}  // namespace rpl
