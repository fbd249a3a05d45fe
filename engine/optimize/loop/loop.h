// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/interrupt.h"
#include "engine/optimize/loop/ahead.h"
#include "engine/optimize/loop/propose.h"
#include "engine/optimize/loop/stages.h"
#include "engine/optimize/measure/modelled_run.h"
#include "engine/optimize/store/store.h"
#include "engine/source/build/compiler.h"
#include "engine/target/target.h"

namespace rpl {

/// What to make faster.
struct OptimizationGoal {
  std::string source;   ///< path of the HIP source
  std::string kernel;   ///< empty: the captured one
  std::string capture;  ///< path of the folder
  std::vector<std::string> flags;
  std::int64_t parent =
      0;  ///< begin with the text of this accepted proposal, of the same source; 0: with the file as it is
};

/// Whether `current` is the optimization that a goal asks for, and its source is still the one that it began with: then there is no need to
/// begin again.
bool is_under_way(const OptimizationGoal& goal, const Optimization& current);

/// Builds the source as it is, runs the captured dispatch with what came out and keeps both as the baseline of all proposals to come. Fails with
/// verification_failed when that does not compute what the capture holds: then the source is not what was captured, and comparing with it would
/// prove nothing; with corrupt when the source does not compile; with denied for a parent that is not accepted or belongs to another source.
Result<Optimization> begin_optimization(const OptimizationGoal& goal, const Compiler& compiler,
                                        Target& target, ProposalStore& store);

/// What one step did.
struct StepReport {
  Stage stage = Stage::profile;
  std::string about =
      {};  ///< whose stage it was, where that is neither the proposal nor the optimization: "a1"
  Optimization optimization;
  std::optional<Proposal> proposal;  ///< the one that advanced, as it is now
  StageOutcome outcome;
  std::vector<Proposal> made;         ///< by `propose`
  std::vector<RuleRefusal> refusals;  ///< likewise
  std::optional<Stage> next;          ///< none when everything is decided
  bool more_rules = false;  ///< then: the catalogue has rules that this search does not ask
  std::optional<Proposal> next_proposal;  ///< which one it is about
  std::optional<Proposal>
      best;  ///< the accepted one with the highest ratio; while there is a `next`, another may follow
};

/// The accepted proposal of the current optimization with the highest ratio; none when none is accepted.
std::optional<Proposal> best_accepted(const ProposalStore& store);
/// The best accepted proposal of the current optimization, when it was chosen among several that measured time accepted and was not measured again
/// since; none otherwise, and always for modelled time, of which equal runs are equal.
std::optional<Proposal> awaiting_again(const ProposalStore& store);
/// How many times as fast as its base: by the second measurement where it has one, which nobody chose, else by the first; 0 for one without any.
double gain_of(const Proposal& proposal);
/// From the first text of a chain to its last: the product of what each step gained; one without a measurement counts as 1.
double ratio_of_chain(const ProposalStore& store, Proposal last);

/// The stage that a loop on this store would carry out next; none when everything is decided.
std::optional<Stage> next_stage(const ProposalStore& store);
/// The same with what it is about, for a prompt: "p5:build", "o1:select"; "" when nothing is under way or everything is decided.
std::string next_text(const ProposalStore& store);

/// What the loop runs on. Borrowed.
struct LoopTools {
  std::function<Result<Compiler>()> compiler;
  Target* verifier = nullptr;  ///< as in Workbench
  DecisionRule rule;           ///< without the noise floor, which comes from the session
  MeasuringTarget measuring = {};
  RuleChoice rules = {};  ///< what the propose stage asks the catalogue for
  ResourceGate gate = ResourceGate::warn;
  StageListener* listener = &nobody();
  std::function<Result<arch::Gpu>(const std::string&)> hardware = {};  ///< as in Workbench
  interrupt::StopToken stop = {};  ///< looked at before every stage
  std::uint64_t seed = 0;          ///< as in Workbench
};

/// Steps through profile → select → propose → guard → build → screen → verify → measure → decide, one stage at a time; where several were accepted on
/// measured time, `again` follows. Where it stands is in the session alone: another program continues with the next stage. Every step also fails with
/// what the listener vetoes, and with interrupted when a stop was requested since the tools were made.
class OptimizationLoop {
 public:
  /// `store` is borrowed.
  OptimizationLoop(ProposalStore& store, LoopTools tools)
      : store_(store), tools_(std::move(tools)) {}

  [[nodiscard]] ProposalStore& store() const { return store_; }

  /// Begins with another kernel: carries out `profile`.
  Result<StepReport> begin(const OptimizationGoal& goal);
  /// The next stage of what is under way. Fails with not_found when nothing is, or when everything is decided.
  Result<StepReport> step();
  /// The next stage of one proposal. Fails with usage when that is decided.
  Result<StepReport> step(Proposal proposal);
  /// The stages that a proposal still has to go through, up to and with `last`; none: all. Fails with usage when it is decided already.
  Result<std::vector<StepReport>> steps(Proposal proposal, std::optional<Stage> last = {});
  /// The stage `again` of the one that awaiting_again() names, wherever the kernel itself stands. Fails with not_found when none waits.
  Result<StepReport> measure_again();

  /// How a stage of the kernel stands that is done already: profile, select or propose. Fails with not_found when it is still to come.
  Result<StepReport> done(Stage stage) const;

 private:
  /// What the stages of a proposal work with; `capture` and `optimization` are borrowed.
  Result<Workbench> workbench(const Optimization& optimization, const Capture& capture,
                              const StageRow& row);
  /// `verify_all`: as in Workbench.
  Result<StepReport> carry_out(Stage stage, Proposal proposal, bool verify_all = false);
  Result<StepReport> select(Optimization optimization);
  Result<StepReport> propose(Optimization optimization);
  /// Begins to, for all proposals of this optimization that are not guarded yet, where there are some and they are not looked at already.
  Status look_ahead(const Optimization& optimization, const Capture& capture);
  /// What every step ends with: says what is next, and tells the listener.
  Result<StepReport> told(StepReport report) const;
  void set_next(StepReport& report) const;

  ProposalStore& store_;
  LoopTools tools_;
  ModelledRuns runs_;
  bool looks_ahead_ = false;
  std::int64_t ahead_of_ = 0;  ///< number of the optimization that ahead_ is about
  std::unique_ptr<StagesAhead> ahead_;

  friend class LookAhead;
};

/// For who will decide everything that is open: while it lives, the stages of later proposals that need the compiler alone are carried out on other cores during those of earlier ones. What steps return
/// and keep in the session is the same without it.
class LookAhead {
 public:
  explicit LookAhead(OptimizationLoop& loop) : loop_(loop) { loop_.looks_ahead_ = true; }
  ~LookAhead() {
    loop_.looks_ahead_ = false;
    loop_.ahead_.reset();
    loop_.ahead_of_ = 0;
  }
  LookAhead(const LookAhead&) = delete;
  LookAhead& operator=(const LookAhead&) = delete;

 private:
  OptimizationLoop& loop_;
};

}  // namespace rpl
