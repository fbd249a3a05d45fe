// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/optimize/loop/loop.h"
#include "engine/optimize/store/application.h"
#include "engine/target/target.h"
#include "shell/core/session/inputs.h"

namespace rpl {

class Face;
class Jobs;
class SessionLog;
struct UserRule;

/// The parts that the optimization loop works with. Made of a context, so that whoever holds one may pass it.
struct Optimizer : Inputs {
  Optimizer(const Context& context);

  Settings&
      settings;  ///< those of the inputs, to be set: some options are settings for one command
  SessionLog& log;
  const Jobs& jobs;
  Face& face;
  const std::vector<UserRule>& user_rules;
};

/// The compiler that `set build compiler` names, or the one that is found, with the headers of `set build headers` and the cache of `set build cache`.
Result<Compiler> compiler_of(const Settings& settings);

/// What the settings `optimize scope` and `optimize assume-captured` ask of the rules, with the user's own ones.
RuleChoice rule_choice(const Optimizer& optimizer);

/// Whether a command is about what is under way, or may begin something and needs a session for that.
enum class LoopNeed { existing, begins };

/// What the current session holds of the loop, read again; the prompt asks it what comes next. Creates a session when something `begins`; otherwise
/// fails with not_found and how to begin.
Result<std::shared_ptr<ProposalStore>> loop_store(SessionLog& log,
                                                  LoopNeed need = LoopNeed::existing);

/// The loop of the current session for one command, with everything that it borrows.
struct OpenLoop {
  std::shared_ptr<ProposalStore> store;
  TargetChoice target;  ///< where times come from
  std::unique_ptr<Target> verifier;
  std::unique_ptr<Target> clock;  ///< where times are measured; null: they are modelled
  std::function<Result<Compiler>()> compiler;  ///< compiler_of the settings, found once
  /// Shows progress, asks listeners of `before_bench` and `verify` and the command of `optimize check-cmd`, and tells those of `proposal_tested`.
  std::unique_ptr<StageListener> listener;
  OptimizationLoop loop;
};
/// Fails as loop_store() and target_for() do. The result must not outlive the parts.
Result<OpenLoop> open_loop(const Optimizer& optimizer, LoopNeed need = LoopNeed::existing);

/// The tools of whole applications on the target that the loop measures on. `gpu`: of `--gpu`, for emulated devices alone. Fails with usage, and as
/// Target::prepare() does.
Result<ApplicationTools> application_tools(const Optimizer& optimizer, const OpenLoop& open,
                                           const std::string& gpu);

/// The proposals of the session, for reading; empty when there is no session.
Result<std::optional<ProposalStore>> kept_proposals(SessionLog& log);

}  // namespace rpl
