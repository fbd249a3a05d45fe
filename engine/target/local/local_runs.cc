// SPDX-License-Identifier: MIT
// The runs of a program under rocprofv3 that one profile takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/target/capabilities.h"
#include "engine/target/local/counter_join.h"
#include "engine/target/local/local_target.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

double kernels_ms(const profile::RecordedRun& run) {
  constexpr double kNsPerMs = 1e6;
  double ns = 0;
  for (const auto& database : run.databases) ns += database.kernel_ns;
  return ns / kNsPerMs;
}

/// The runs of one profile, one after the other. Of those beside the first what fails is a note.
class LocalRuns {
 public:
  LocalRuns(const ProfileRequest& request, const profile::Recorder& recorder)
      : request_(request), recorder_(recorder) {
    out_.record = {.program = command_line(request.argv),
                   .code = request.code,
                   .target = TargetKind::local,
                   .folder = request.folder};
    out_.times = Provenance::measured;
    out_.how = "under rocprofv3";
    if (recorder.version) out_.how += fmt::format(" (ROCm {})", recorder.version->text());
  }

  Result<ProfileRun> all() {
    TRY(profile::pc_sampling_of(request_.pc_sampling));  // before anything has run
    if (!request_.only_trace) TRY(trace());
    if (!request_.only_trace && !out_.nothing) TRY(count());
    if (out_.nothing) return std::move(out_);
    TRY(trace_threads());
    TRY(sample());
    if (!request_.only_trace) out_.disturbances = profile::disturbances(profile::this_machine());
    return std::move(out_);
  }

 private:
  [[nodiscard]] profile::RecorderRequest recorder_request(const std::string& folder) const {
    profile::RecorderRequest out{.recorder = recorder_.path,
                                 .argv = request_.argv,
                                 .folder = folder,
                                 .allocations = request_.allocations,
                                 .hip = request_.hip_calls,
                                 .hsa = request_.hsa_calls,
                                 .markers = request_.markers};
    out.thread_trace.decoder_folder = recorder_.decoder_folder;
    return out;
  }

  Result<profile::RecordedRun> record(const profile::RecorderRequest& request,
                                      const profile::RecorderRun& run, bool shown,
                                      std::chrono::milliseconds limit) {
    if (request_.debug) out_.notes.push_back("debug: " + command_line(run.argv));
    profile::RecordOptions options{.cwd = request_.cwd, .timeout = limit};
    if ((shown || request_.debug) && request_.on_line) {
      options.on_line = [this](OutputStream stream, std::string_view line) {
        const bool hidden =
            !request_.debug && stream == OutputStream::err && profile::recorder_says(line);
        if (!hidden) request_.on_line(stream, line);
      };
    }
    auto out = TRY(profile::record(request, run, options));
    TRY(keep_output(out.run.folder, out.exit, 1));
    return out;
  }

  Result<profile::RecordedRun> record_one(const profile::RecorderRequest& request, bool shown) {
    const auto runs = TRY(profile::recorder_runs(request, recorder_.version));
    return record(request, runs.back(), shown, request_.timeout);
  }

  void note(const profile::RecordedRun& run, const std::string& before) {
    for (const profile::RecorderFinding& finding : run.findings) {
      out_.notes.push_back(fmt::format("{}{}{}{}", before, finding.message,
                                       finding.hint.empty() ? "" : "; ", finding.hint));
    }
  }

  void take_first(profile::RecordedRun run) {
    using Kind = profile::RecorderFailure;
    out_.databases = run.usable();
    out_.record.processes = run.databases.size();
    out_.record.exit_code = run.exit.code;
    out_.record.complete = out_.databases.size() == run.databases.size();
    if (!run.findings.empty()) out_.record.failure = run.findings.front().message;
    if (run.fatal() != nullptr || out_.databases.empty()) {
      out_.nothing = profile::error_of(run);  // --debug has shown the rest
      const Kind cause = run.findings.front().failure;
      out_.by_program = cause == Kind::crashed || cause == Kind::program_failed;
    }
    if (!out_.databases.empty())
      out_.architecture = profile::recorded_architecture(out_.databases.front());
    out_.failed = !run.exit.ok();
    out_.timed_out = run.exit.timed_out;
    out_.exit = std::move(run.exit);
  }

  /// The runs whose times count.
  Status trace() {
    for (std::size_t i = 1; i <= request_.runs; ++i) {
      if (request_.runs > 1 && request_.announce)
        request_.announce(fmt::format("run {} of {}", i, request_.runs));
      const std::string folder =
          i == 1 ? request_.folder
                 : (fs::path(request_.folder) / fmt::format("run_{}", i)).string();
      profile::RecordedRun run = TRY(record_one(recorder_request(folder), true));
      const std::string before = i == 1 ? "" : fmt::format("run {}: ", i);
      const bool usable = !run.usable().empty(), ended_well = run.exit.ok();
      const double ms = kernels_ms(run);
      if (i > 1 || run.fatal() == nullptr) note(run, before);
      if (i == 1) take_first(std::move(run));
      if (out_.nothing || !usable) break;
      out_.runtime_ms.push_back(ms);
      if (!ended_well) break;
    }
    return {};
  }

  Status count_pass(const std::vector<std::string>& counters) {
    profile::RecorderRequest counting = recorder_request(request_.folder);
    counting.counter_passes = {counters};
    counting.first_pass = ++pass_runs_;
    const auto runs = TRY(profile::recorder_runs(counting, recorder_.version));
    const profile::RecorderRun& wanted = runs.back();
    if (request_.announce) request_.announce(fmt::format("counting, pass {}", wanted.pass));
    const auto watchdog = profile::counting_limit(out_.exit.wall);
    const profile::RecordedRun ended =
        TRY(record(counting, wanted, false,
                   request_.timeout.count() > 0 ? std::min(request_.timeout, watchdog) : watchdog));
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
    out_.notes.push_back(fmt::format("pass {} is done again in two halves", wanted.pass));
    TRY(count_pass({counters.begin(), middle}));
    return count_pass({middle, counters.end()});
  }

  /// The counters, in runs of their own, put to the dispatches of the first run.
  Status count() {
    if (!request_.counters) return {};
    const auto planned = TRY(request_.counters(out_.architecture));
    if (planned.empty()) return {};
    const profile::CheckedPasses checked = TRY(profile::check_passes(recorder_, planned));
    if (!checked.refused.empty())
      out_.notes.push_back(fmt::format("this GPU does not count {}: rocprofv3-avail refuses",
                                       fmt::join(checked.refused, ", ")));
    for (const auto& pass : checked.passes) TRY(count_pass(pass));
    if (counted_.empty()) return {};
    out_.details.push_back(
        fmt::format("counters of {} more run{}: the times are those of the run without counters",
                    counted_.size(), counted_.size() == 1 ? "" : "s"));
    return join();
  }

  Status join() {
    std::vector<profile::CounterPassFiles> passes;
    for (const auto& [pass, files] : counted_) passes.push_back({pass, files});
    auto joined = profile::join_counters(out_.databases, passes,
                                         (fs::path(request_.folder) / "counted").string());
    if (!joined) {
      if (joined.error().code == Errc::interrupted) return std::move(joined).failure();
      out_.notes.push_back(fmt::format(
          "the counters could not be matched to the dispatches: {}; they lie in {}/counters",
          joined.error().message, request_.folder));
      return {};
    }
    for (std::string& said : joined->notes) out_.notes.push_back(std::move(said));
    out_.databases = std::move(joined->databases);
    return {};
  }

  Status trace_threads() {
    if (request_.trace_kernel.empty()) return {};
    profile::RecorderRequest tracing = recorder_request(request_.folder);
    tracing.thread_trace.kernel = request_.trace_kernel;
    profile::RecordedRun run = TRY(record_one(tracing, false));
    note(run, "thread trace: ");
    out_.thread_traces = std::move(run.files);
    return {};
  }

  Status sample() {
    profile::RecorderRequest sampling = recorder_request(request_.folder);
    sampling.pc_sampling = TRY(profile::pc_sampling_of(request_.pc_sampling));
    if (sampling.pc_sampling == profile::PcSampling::none || request_.only_trace) return {};
    profile::RecordedRun run = TRY(record_one(sampling, false));
    note(run, "PC sampling: ");
    out_.samples = std::move(run.files);
    return {};
  }

  const ProfileRequest& request_;
  const profile::Recorder& recorder_;
  ProfileRun out_;
  std::vector<std::pair<std::size_t, std::vector<std::string>>> counted_;  ///< databases by pass
  std::size_t pass_runs_ = 0;
};

}  // namespace

Result<ProfileRun> profile_under(const profile::Recorder& recorder, const ProfileRequest& request) {
  return LocalRuns(request, recorder).all();
}

}  // namespace rpl
