// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/base/units.h"
#include "engine/measure/decision_value.h"
#include "engine/measure/verify.h"
#include "engine/optimize/stages.h"

namespace rpl {
namespace {

struct ModelledRun {
  emu::Modelled modelled;
  std::uint64_t instructions = 0;
  MemoryImage memory;  ///< afterwards
};

Result<ModelledRun> modelled_run(const Workbench& bench, const std::string& object) {
  ReplayRun run = TRY(bench.replayer->run({.capture = bench.capture,
                                                 .object = TRY(isa::CodeObject::open(object)),
                                                 .execute = {.mode = emu::Mode::modelled}}));
  if (!run.executed.modelled) {
    return fail(Errc::missing_capability, fmt::format("target {} gives no time", bench.replayer->target()));
  }
  return ModelledRun{*run.executed.modelled, run.executed.counts.instructions, std::move(run.memory)};
}

Record side(const ModelledRun& run) {
  return {{"time_ns", run.modelled.time_ns},
          {"cycles", run.modelled.cycles},
          {"instructions", run.instructions},
          {"vmem_wait_cycles", run.modelled.vmem_wait_cycles},
          {"lds_wait_cycles", run.modelled.lds_wait_cycles}};
}

double time_of(const Record& evidence, std::string_view which) {
  for (const auto& [stage, facts] : evidence) {
    const Value* side = stage == "measure" ? facts.find(which) : nullptr;
    const Value* time = side ? side->find("time_ns") : nullptr;
    if (time) return time->number().value_or(0);
  }
  return 0;
}

}  // namespace

Result<StageOutcome> measure_stage(const Proposal& proposal, const Workbench& bench) {
  const ModelledRun a = TRY(modelled_run(bench, bench.optimization->base_object()));
  const ModelledRun b = TRY(modelled_run(bench, proposal.candidate_object()));
  StageOutcome out;
  // What was verified before must hold in the very run that is timed.
  for (VerifyFinding& finding : compare_results(*bench.capture, a.memory, b.memory, proposal.bit_exact))
    out.reasons.push_back({std::move(finding.rule), std::move(finding.message)});
  out.passed = out.reasons.empty();
  out.facts = {{"time_source", "modelled"},
               {"model", b.modelled.model},
               {"target", bench.replayer->target()},
               {"baseline", side(a)},
               {"candidate", side(b)},
               {"verified_when_timed", out.passed}};
  out.found = fmt::format("{} -> {} cycles, {} -> {} wave-instructions ({})", a.modelled.cycles, b.modelled.cycles,
                          a.instructions, b.instructions, b.modelled.model);
  return out;
}

Result<StageOutcome> decide_stage(const Proposal& proposal, const Workbench& bench) {
  const DecisionInput input{.rule = bench.rule,
                            .looks = {.first = 1, .step = 0, .last = 1},
                            .samples = {.processes = {{MeasuredBlock{.a_ns = {time_of(proposal.evidence, "baseline")},
                                                                     .b_ns = {time_of(proposal.evidence, "candidate")}}}},
                                        .deterministic = true}};
  const Decision decision = TRY(decide(input));
  StageOutcome out;
  out.passed = decision.verdict == Verdict::improved;
  const std::string verdict = fmt::format("{} (modelled)", to_string(decision.verdict));
  out.facts = {{"verdict", to_string(decision.verdict)},
               {"ratio", decision.ratio},
               {"ci_low", decision.ci_low},
               {"ci_high", decision.ci_high},
               {"floor", decision.floor},
               {"samples", decision.samples},
               {"design", decision.design},
               {"model", text_in(proposal.evidence, "measure", "model")},
               {"silicon", false},
               {"input", to_value(input)}};
  out.found = fmt::format("{}: {:.3f} times as fast, {} {:.3f} is needed", verdict, decision.ratio,
                          out.passed ? "more than" : "but more than", 1 + decision.floor);
  if (!out.passed) {
    out.reasons.push_back({fmt::format("{}", to_string(decision.verdict)),
                           fmt::format("{}: ratio {:.4f}, above {:.4f} is needed", verdict, decision.ratio,
                                       1 + decision.floor)});
  }
  return out;
}

}  // namespace rpl
