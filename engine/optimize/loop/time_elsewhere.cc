// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/other_inputs.h"
#include "engine/optimize/measure/modelled_run.h"

namespace rpl {
namespace {

Result<emu::Executed> modelled(const Runner& runner, const InputSet& input) {
  ReplayRun run = TRY(runner.run(input, input.memory, {.mode = emu::Mode::modelled}));
  TRY(has_modelled_time(run.executed, runner.target));
  return std::move(run.executed);
}

}  // namespace

Status time_on_other_inputs(const Proposal& proposal, const Workbench& bench, BaselineStudy& inputs,
                            double ratio, StageOutcome& accepted) {
  const Optimization& origin = bench.origin ? *bench.origin : *bench.optimization;
  const auto origin_object = TRY(isa::CodeObject::open(origin.base_object()));
  const auto base_object = TRY(isa::CodeObject::open(bench.optimization->base_object()));
  const auto candidate_object = TRY(isa::CodeObject::open(proposal.candidate_object()));
  const Runner drawn{*bench.verifier, *bench.capture, origin_object, "", origin.launch};
  const Runner base{*bench.verifier, *bench.capture, base_object, "", bench.optimization->launch};
  const Runner candidate{*bench.verifier, *bench.capture, candidate_object, "",
                         proposal.launch, proposal.fusion};
  OtherInputs found{.timings = {}, .assumed = bench.assume_captured};
  for (const std::size_t index : inputs.like_use()) {
    const auto set = TRY(inputs.set(drawn, index));
    if (set == nullptr) continue;
    const emu::Executed a = TRY(modelled(base, set->input)),
                        b = TRY(modelled(candidate, set->input));
    found.timings.push_back({.kind = set->input.kind,
                             .baseline_ns = a.modelled->time_ns,
                             .candidate_ns = b.modelled->time_ns,
                             .band = emu::ratio_band(a, b)});
  }
  accepted.reasons = TRY(held_elsewhere(found, ratio, bench.rule));
  found.held = accepted.reasons.empty();
  put(accepted.facts, "other_inputs", to_value(found));
  accepted.passed = found.held;
  // What was drawn is said where the evidence is shown: equal searches end with equal lines.
  if (!found.held) accepted.found += "; " + accepted.reasons.front().message;
  return {};
}

}  // namespace rpl
