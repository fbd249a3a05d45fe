// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/optimize/loop/loop.h"
#include "engine/optimize/store/application.h"

namespace rpl {

/// The loop of one kernel, as the application's loop uses it: OptimizationLoop::begin and step.
struct KernelStages {
  std::function<Result<StepReport>(const OptimizationGoal&)> begin;
  std::function<Result<StepReport>()> step;
};

/// Makes an application faster, kernel by kernel: application → target → capture → the stages of that kernel's proposals → confirm with the whole
/// application → target, until no kernel is worth it or none gets better. One stage at a time; where it stands is in the session alone.
class ApplicationLoop {
 public:
  /// `floor`: how much longer the application may take with a change, and how much of it is noise; a fraction. What a clock shows of noise comes to that.
  /// `listener` is asked for the user's own check of what is confirmed, and hears of it; of the kernel's stages `kernels` tells.
  ApplicationLoop(ProposalStore& store, KernelStages kernels, ApplicationTools tools, double floor,
                  StageListener& listener = nobody())
      : store_(store),
        kernels_(std::move(kernels)),
        tools_(std::move(tools)),
        floor_(floor),
        listener_(listener) {}

  /// Runs the unchanged program twice, or where a clock measures as often as an A/A calibration does, and keeps what it did. Number and folder of `application` are filled in. Fails as running does, and with
  /// not_found when no kernel ran.
  Result<StepReport> begin(Application application);
  /// The next stage. Fails with not_found when nothing is under way, or nothing is left to do.
  Result<StepReport> step();

 private:
  Result<StepReport> target(Application application);
  Result<StepReport> capture(Application application);
  Result<StepReport> kernel(Application application);
  Result<StepReport> begin_kernel(Application application);
  Result<StepReport> round(Application application);
  Result<StepReport> confirm_best(Application application, Proposal best);
  /// Builds the application with the change, runs it, and says how it compares; `application.now` becomes that run when it passes.
  Result<Confirmation> try_out(Application& application, const Proposal& best,
                               const std::string& program, Record& facts);
  /// The same comparison by a clock: pairs of runs with the program as it was before.
  Result<Confirmation> time_change(const Application& application, const Proposal& best,
                                   const std::vector<std::string>& argv,
                                   ApplicationRun& with_change, Record& facts);
  /// What the unchanged program shows against itself; the application's noise, and whether its output repeats, become known. A sentence about it.
  Result<std::string> calibrate(Application& application);
  Status ask_user(const Proposal& best, const std::string& program, Confirmation& confirmation,
                  Record& facts) const;
  Result<StepReport> give_up(Application application, Stage stage, const Error& why);
  Result<std::vector<ReplacedFile>> replaced(const Application& application,
                                             const Proposal* candidate) const;
  Result<std::int64_t> parent_of(const Application& application, const std::string& source) const;
  [[nodiscard]] std::vector<Proposal> to_confirm() const;

  ProposalStore& store_;
  KernelStages kernels_;
  ApplicationTools tools_;
  double floor_;
  StageListener& listener_;
};

/// A kernel with a smaller share of the critical path is not worth a round.
inline constexpr double kWorthwhileShare = 0.05;
/// Below this share of the critical path the ceiling is low enough to be told.
inline constexpr double kDominant = 0.7;

}  // namespace rpl
