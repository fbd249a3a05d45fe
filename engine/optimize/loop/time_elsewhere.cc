// SPDX-License-Identifier: MIT
#include <optional>
#include <vector>

#include "engine/base/parallel.h"
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
  std::vector<std::shared_ptr<const StudiedSet>> sets;
  for (const std::size_t index : inputs.like_use()) {
    if (auto set = TRY(inputs.set(drawn, index))) sets.push_back(std::move(set));
  }
  // Two for each: the baseline's run, the candidate's.
  std::vector<std::optional<Result<emu::Executed>>> runs(2 * sets.size());
  in_parallel(runs.size(), BaselineStudy::sets_at_once(*bench.capture), [&](std::size_t i) {
    runs[i].emplace(modelled(i % 2 == 0 ? base : candidate, sets[i / 2]->input));
  });
  OtherInputs found{.timings = {}, .assumed = bench.assume_captured};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const emu::Executed a = TRY(std::move(*runs[2 * i])), b = TRY(std::move(*runs[2 * i + 1]));
    found.timings.push_back({.kind = sets[i]->input.kind,
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
