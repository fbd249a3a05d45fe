// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/loop/profile.h"
#include "engine/optimize/loop/propose.h"
#include "engine/optimize/loop/stages.h"

namespace rpl {

/// What one step did.
struct StepReport {
  std::string
      stage;  ///< "profile", "select", "propose", "guard" … "decide"; of an application also those of ApplicationLoop
  std::string about =
      {};  ///< whose stage it was, where that is neither the proposal nor the optimization: "a1"
  Optimization optimization;
  std::optional<Proposal> proposal;  ///< the one that advanced, as it is now
  StageOutcome outcome;
  std::vector<Proposal> made;         ///< by `propose`
  std::vector<RuleRefusal> refusals;  ///< likewise
  std::string next;                   ///< the stage that comes next; "" when everything is decided
  std::optional<Proposal> next_proposal;  ///< which one it is about
  std::optional<Proposal>
      best;  ///< the accepted one with the highest ratio; unless `next` is "", another may follow
};

/// The accepted proposal of the current optimization with the highest ratio; none when none is accepted.
std::optional<Proposal> best_accepted(const ProposalStore& store);
/// How many times as fast as its base: by the second measurement where it has one, which nobody chose, else by the first; 0 for one without any.
double gain_of(const Proposal& proposal);
/// From the first text of a chain to its last: the product of what each step gained; one without a measurement counts as 1.
double ratio_of_chain(const ProposalStore& store, Proposal last);

/// What the loop runs on. Borrowed.
struct LoopTools {
  std::function<Result<Compiler>()> compiler;
  Replayer* replayer = nullptr;
  DecisionRule rule;  ///< without the noise floor, which comes from the session
  MeasuringTarget measuring = {};
  RuleChoice rules = {};  ///< what the propose stage asks the catalogue for
  ResourceGate gate = ResourceGate::warn;
  UserCheck check = {};                                                ///< likewise
  std::function<Result<arch::Gpu>(const std::string&)> hardware = {};  ///< as in Workbench
};

/// Steps through profile → select → propose → guard → build → screen → verify → measure → decide, one stage at a time; where several were accepted on
/// measured time, `again` follows. Where it stands is in the session alone: another program continues with the next stage.
class OptimizationLoop {
 public:
  OptimizationLoop(ProposalStore& store, LoopTools tools)
      : store_(store), tools_(std::move(tools)) {}

  /// Begins with another kernel: carries out `profile`.
  Result<StepReport> begin(const OptimizationGoal& goal);
  /// The next stage of what is under way. Fails with not_found when nothing is, or when everything is decided.
  Result<StepReport> step();
  /// The next stage of one proposal.
  Result<StepReport> step(Proposal proposal);
  /// The stage `again` of the one that awaiting_again() names, wherever the kernel itself stands. Fails with not_found when none waits.
  Result<StepReport> measure_again();

  /// How a stage of the kernel stands that is done already: "profile", "select" or "propose". Fails with not_found when it is still to come.
  Result<StepReport> done(std::string_view stage) const;

  /// The stage that step() would carry out: "" when there is none.
  static std::string next_stage_of(const ProposalStore& store);

 private:
  /// What the stages of a proposal work with; `capture` and `optimization` are borrowed.
  Result<Workbench> workbench(const Optimization& optimization, const Capture& capture,
                              std::string_view stage);
  StepReport select(Optimization optimization);
  Result<StepReport> propose(Optimization optimization);
  void set_next(StepReport& report) const;
  [[nodiscard]] bool reached(std::string_view stage, const Optimization& current) const;

  ProposalStore& store_;
  LoopTools tools_;
};

}  // namespace rpl
