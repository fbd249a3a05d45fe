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
#include "engine/optimize/loop/resource_gate.h"
#include "engine/optimize/measure/decision.h"
#include "engine/optimize/measure/replay_sampler.h"
#include "engine/optimize/store/proposal.h"
#include "engine/optimize/store/user_check.h"
#include "engine/source/build/compiler.h"
#include "engine/store/session.h"
#include "engine/target/target.h"

namespace rpl {

class BaselineStudy;
class ModelledRuns;

/// Where dispatches are timed by a clock instead of a model. Borrowed; without a target times are modelled.
struct MeasuringTarget {
  Target* target = nullptr;
  Looks looks = {};
  Design design = {};
};

/// What a measurement of a proposal against its baseline gave.
struct PairMeasurement {
  Measurement measurement;
  std::string agent, product;                ///< of the GPU; "" for unknown
  double baseline_ns = 0, candidate_ns = 0;  ///< medians of the dispatches that count
};
/// Measures, extending an undecided measurement. Fails as the target does, and with verification_failed when the timed runs leave other results.
Result<PairMeasurement> measure_pair(const MeasuringTarget& clock, const Optimization& optimization,
                                     const Proposal& proposal, const Capture& capture,
                                     const DecisionRule& rule, std::uint64_t seed);

/// The noise of the captured kernel on this target: that of the session's last A/A calibration; without one it is calibrated now, and kept in the session
/// as `bench aa` does.
Result<double> noise_on(const MeasuringTarget& clock, const Optimization& optimization,
                        const Capture& capture, Session& session);

struct StepReport;

/// Who follows a loop from outside; this one hears everything and says nothing. Called on the loop's own thread.
class StageListener {
 public:
  virtual ~StageListener() = default;
  /// A stage of a proposal is about to begin. A failure is a veto: the stage is not carried out.
  virtual Status before(Stage /*stage*/, const Proposal& /*proposal*/) { return {}; }
  /// A stage was carried out and kept in the session. A failure becomes that of the step.
  virtual Status after(const StepReport& /*report*/) { return {}; }
  /// The user's own check of what has passed everything else: at `verify` a proposal, at `confirm` the application built with it.
  virtual Result<UserVerdict> check(const CheckSubject& /*subject*/) { return UserVerdict{}; }
};

/// For loops that nobody follows.
inline StageListener& nobody() {
  static StageListener none;
  return none;
}

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
      {};                  ///< a GPU by its name; null: as the architecture files have it
  std::uint64_t seed = 0;  ///< of what verification draws; 0: a secret one
  /// What the first of the changes that this one builds on began with; none: the optimization itself.
  std::optional<Optimization> origin = {};
  bool bit_exact_so_far = true;  ///< every change since then had to be
  ModelledRuns* runs = nullptr;  ///< kept from stage to stage; null: each stage makes its own
  bool verify_all = false;  ///< also what gains nothing: somebody asked for the verification itself
  bool assume_captured = false;  ///< what holds for captured launches may be taken to hold for all
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

/// What the decision rule says of what measure_stage() found. Fails as decide() does.
Result<Decision> decision_on(const Proposal& measured, const DecisionRule& rule);

/// Builds a text of this proposal's, the candidate or what it was made from, with other flags, beside the candidate. Fails where it does not compile, and as build_hip() does.
Result<std::shared_ptr<const isa::CodeObject>> built_otherwise(const std::string& source,
                                                               std::vector<std::string> flags,
                                                               const Proposal& proposal,
                                                               const Workbench& bench);

/// Whether a second build of the candidate gives equal code. Fails with missing_capability without a compiler, and as build_hip() does.
Result<bool> built_equal_again(const Proposal& proposal, const Workbench& bench);

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
