// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/base/monitor.h"
#include "engine/capture/capture.h"
#include "engine/optimize/loop/listener.h"
#include "engine/optimize/loop/measuring.h"
#include "engine/optimize/loop/resource_gate.h"
#include "engine/optimize/measure/decision.h"
#include "engine/optimize/store/proposal.h"
#include "engine/source/build/compiler.h"
#include "engine/target/target.h"

namespace rpl {

/// What the stages work with. Everything is borrowed for one call.
struct Workbench {
  const Optimization* optimization = nullptr;
  const Capture* capture = nullptr;
  Target* verifier = nullptr;  ///< returns memory and counts: the emulated device
  std::function<Result<Compiler>()> compiler = {};  ///< asked only by stages that compile
  DecisionRule rule = {};
  MeasuringTarget measuring = {};
  ResourceGate gate = ResourceGate::warn;
  StageListener* listener = &nobody();
  std::function<Result<arch::Gpu>(const std::string&)> hardware =
      {};  ///< a GPU by its name; null: as the architecture files have it
};

/// What one stage found out about a proposal.
struct StageOutcome {
  bool passed = false;
  std::string found = {};                  ///< one sentence for people
  Record facts = {};                       ///< the evidence
  std::vector<Reason> reasons = {};        ///< when it did not pass
  std::vector<std::string> warnings = {};  ///< sentences that do not stop it
};

/// The stages of a proposal in order. Each takes a proposal in the state before it and says whether it may go on; a failure means that the
/// stage itself could not be carried out and may be tried again.
Result<StageOutcome> guard_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> build_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> screen_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> verify_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> measure_stage(const Proposal& proposal, const Workbench& bench);
Result<StageOutcome> decide_stage(const Proposal& proposal, const Workbench& bench);

/// For decide_stage(), of what it is about to accept: builds it again and enters into `accepted` whether the code is equal ("built_twice": equal,
/// differs, not built again), with a sentence when it is not. Fails with interrupted alone.
Status build_twice(const Proposal& proposal, const Workbench& bench, StageOutcome& accepted);

/// Measures a winner with fresh samples, nothing of the first measurement among them; passes when these say improved, too. Who was best of several
/// was lucky perhaps. Fails with missing_capability where nothing measures.
Result<StageOutcome> again_stage(const Proposal& winner, const Workbench& bench);

/// What a long course shows of a proposal that a stage decided.
enum class Shown {
  decision,           ///< how it was decided, and its ratio
  finding,            ///< what the stage found
  finding_if_passed,  ///< likewise; of one that it rejected the decision
};

/// One stage of the loop.
struct StageRow {
  Stage stage;
  Result<StageOutcome> (*run)(const Proposal&, const Workbench&) =
      nullptr;  ///< null: not of one proposal; OptimizationLoop or ApplicationLoop carries it out
  std::optional<ProposalState> leaves = {};  ///< the state of a proposal that passed
  std::optional<Stage> next = {};            ///< what follows when it passed; none: the end
  bool measures = false;  ///< by a clock where there is one: the noise is calibrated before
  Shown shown = Shown::decision;
};
/// The table of all stages, in order.
std::span<const StageRow> stage_rows();
inline const StageRow& row_of(Stage stage) { return stage_rows()[static_cast<std::size_t>(stage)]; }

/// What comes next in this state; none when it is decided.
std::optional<Stage> next_stage(ProposalState state);

/// Carries out a stage and enters what came out into the proposal: state, evidence, reasons. Fails as the stage does, or with denied when
/// the source changed since an open proposal was made, and leaves the proposal as it was.
Result<StageOutcome> advance(Proposal& proposal, Stage stage, const Workbench& bench);

}  // namespace rpl
