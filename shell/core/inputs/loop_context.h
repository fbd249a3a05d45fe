// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/optimize/loop/loop.h"
#include "shell/core/session/context.h"

namespace rpl {

/// The compiler that `set build compiler` names, or the one that is found, with the headers of `set build headers` and the cache of `set build cache`.
Result<Compiler> compiler_of(const Settings& settings);

/// What the settings `optimize scope` and `optimize assume-captured` ask of the rules, with the user's own ones.
RuleChoice rule_choice(const Context& context);

/// Whether times of the loop are measured on a GPU: `target local`, or RPL_TARGET where no target is set.
bool measures_locally(const Context& context);

/// The optimization loop of the current session with what it runs on.
class LoopContext {
 public:
  /// Opens the session. Creates one when something `begins`; otherwise fails with not_found and how to begin.
  enum class Need { existing, begins };
  static Result<std::unique_ptr<LoopContext>> open(Context& context, Need need = Need::existing);
  LoopContext(const LoopContext&) = delete;
  LoopContext& operator=(const LoopContext&) = delete;
  /// Puts what comes next into the prompt.
  ~LoopContext();

  [[nodiscard]] ProposalStore& store() { return store_; }
  /// The same as in OptimizationLoop, told to listeners of `proposal_tested` and shown as progress. Fails also with what a listener vetoes.
  Result<StepReport> begin(const OptimizationGoal& goal) { return loop_.begin(goal); }
  [[nodiscard]] Result<StepReport> done(std::string_view stage) const { return loop_.done(stage); }
  Result<StepReport> step();
  Result<StepReport> step(Proposal proposal);
  Result<StepReport> measure_again();
  /// The stages that a proposal still has to go through, up to and with `last`; "" for all.
  Result<std::vector<StepReport>> steps(Proposal proposal, std::string_view last);
  /// What was carried out without this object, as if it had been: told to listeners.
  Result<StepReport> told(StepReport report) const;
  /// The user's own check: the command of `optimize check-cmd` and listeners of `verify`. Must not outlive this object's context.
  [[nodiscard]] UserCheck check() const;
  /// compiler_of the settings; found once.
  Result<Compiler> compiler();

  /// The proposal that a reference names; empty: the one under way, else the last one. Fails with not_found.
  Result<Proposal> proposal(const std::string& reference);

 private:
  Status tell(const StepReport& report) const;
  /// Lets listeners veto the stage that comes next.
  Status ask_before(const Proposal& proposal) const;

  LoopContext(Context& context, ProposalStore store, std::unique_ptr<Replayer> replayer,
              std::unique_ptr<SeriesReplayer> clock);

  Context& context_;
  ProposalStore store_;
  std::unique_ptr<Replayer> replayer_;
  std::unique_ptr<SeriesReplayer> clock_;  ///< where times are measured; null: they are modelled
  std::optional<Compiler> compiler_;
  OptimizationLoop loop_;
};

/// The proposals of the session, for reading; empty when there is no session.
Result<std::optional<ProposalStore>> kept_proposals(Context& context);

}  // namespace rpl
