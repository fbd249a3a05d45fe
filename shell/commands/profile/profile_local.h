// SPDX-License-Identifier: MIT
#pragma once

#include "engine/target/local/recorder.h"
#include "shell/commands/profile/profile_run.h"

namespace rpl {

/// The runs of one profile under rocprofv3, one after the other.
class LocalRuns {
 public:
  /// Fails as profile::find_recorder() does.
  static Result<LocalRuns> start(Context& context, const ProfileRunArgs& args,
                                 const ProfilePlan& plan);

  /// The runs whose times count, `--runs` of them. Fails with what left the first one without a kernel.
  Status trace();
  /// The counters that the options ask for, in runs of their own, put to the dispatches of the first run. What fails of them is a note.
  Status count();
  /// A thread trace of kernels with this in their names, and PC samples, where they are asked for; opened. What fails is a note.
  Result<bool> trace_threads(const std::string& kernel);
  Status sample();

  /// What to open: the first run's databases, with counters where there are some.
  [[nodiscard]] const std::vector<std::string>& databases() const { return databases_; }
  [[nodiscard]] const profile::RecordedRun& first() const { return first_; }
  [[nodiscard]] const std::vector<double>& runtime_ms() const { return runtime_ms_; }
  [[nodiscard]] const profile::Recorder& recorder() const { return recorder_; }
  [[nodiscard]] const std::string& sampled() const {
    return sampled_;
  }  ///< a line about the samples; "" without
  [[nodiscard]] std::size_t passes() const { return passes_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  LocalRuns(Context& context, const ProfileRunArgs& args, const ProfilePlan& plan,
            profile::Recorder recorder)
      : context_(context), args_(args), plan_(plan), recorder_(std::move(recorder)) {}

  [[nodiscard]] profile::RecorderRequest request(const std::string& folder) const;
  Result<profile::RecordedRun> record(const profile::RecorderRequest& request,
                                      const profile::RecorderRun& run, bool shown,
                                      std::chrono::milliseconds limit);
  Result<profile::RecordedRun> record_one(profile::RecorderRequest request, bool shown);
  void note(const profile::RecordedRun& run, const std::string& before);
  Status count_pass(const std::vector<std::string>& counters);
  Status join();

  Context& context_;
  const ProfileRunArgs& args_;
  const ProfilePlan& plan_;
  profile::Recorder recorder_;
  profile::RecordedRun first_;
  std::vector<double> runtime_ms_;
  std::vector<std::string> databases_, notes_;
  std::string sampled_;
  std::vector<std::pair<std::size_t, std::vector<std::string>>> counted_;  ///< databases by pass
  std::size_t passes_ = 0, pass_runs_ = 0;  ///< those that counted, and those that ran
};

}  // namespace rpl
