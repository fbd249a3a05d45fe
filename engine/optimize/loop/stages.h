// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/base/monitor.h"
#include "engine/capture/capture.h"
#include "engine/optimize/loop/measuring.h"
#include "engine/optimize/loop/resource_gate.h"
#include "engine/optimize/measure/decision.h"
#include "engine/optimize/store/proposal.h"
#include "engine/optimize/store/user_check.h"
#include "engine/replay/replay.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// What the stages work with. Everything is borrowed for one call.
struct Workbench {
  const Optimization* optimization = nullptr;
  const Capture* capture = nullptr;
  Replayer* replayer = nullptr;
  std::function<Result<Compiler>()> compiler = {};  ///< asked only by stages that compile
  DecisionRule rule = {};
  MeasuringTarget measuring = {};
  ResourceGate gate = ResourceGate::warn;
  UserCheck check = {};  ///< asked by verify about what has passed everything else; null: nobody
  std::function<Result<arch::Gpu>(const std::string&)> hardware =
      {};  ///< a GPU by its name; null: as the architecture files have it
};

/// What one stage found out about a proposal.
struct StageOutcome {
  bool passed = false;
  std::string found;                  ///< one sentence for people
  Record facts;                       ///< the evidence
  std::vector<Reason> reasons;        ///< when it did not pass
  std::vector<std::string> warnings;  ///< sentences that do not stop it
};

/// The stages of a proposal in order. Each takes a proposal in the state before it and says whether it may go on; a failure means that the
/// stage itself could not be carried out and may be tried again.
Result<StageOutcome> guard_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> build_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> screen_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> verify_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> measure_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> decide_stage(const Proposal& proposal, const Workbench& bench);

/// For a proposal about to be accepted: builds it once more and enters into `accepted` whether the code is equal ("built_twice": equal, differs, not built
/// again), with a sentence when it is not. Fails with interrupted alone.
Status build_twice(const Proposal& proposal, const Workbench& bench, StageOutcome& accepted);

/// "guard", "build", "screen", "verify", "measure", "decide": what comes next in this state; "" when it is decided.
std::string_view next_stage(ProposalState state);
/// All of them in order.
const std::vector<std::string_view>& stage_names();

/// Carries out the next stage and enters what came out into the proposal: state, evidence, reasons. Fails as the stage does, or with denied when
/// the source changed since the proposal was made, and leaves the proposal as it was.
Result<StageOutcome> advance(Proposal& proposal, const Workbench& bench);

}  // namespace rpl
