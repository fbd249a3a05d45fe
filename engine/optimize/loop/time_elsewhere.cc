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

Result<TimedElsewhere> TimedElsewhere::begun(const Proposal& proposal, const Workbench& bench,
                                             BaselineStudy& inputs) {
  const Optimization& origin = bench.origin ? *bench.origin : *bench.optimization;
  const auto origin_object = TRY(isa::CodeObject::open(origin.base_object()));
  const Runner drawn{*bench.verifier, *bench.capture, origin_object, "", origin.launch};
  TimedElsewhere out;
  std::vector<std::shared_ptr<const StudiedSet>> sets;
  for (const std::size_t index : inputs.like_use()) {
    if (auto set = TRY(inputs.set(drawn, index))) sets.push_back(std::move(set));
  }
  for (const auto& set : sets) out.kinds_.push_back(set->input.kind);
  const auto base_object = TRY(isa::CodeObject::open(bench.optimization->base_object()));
  const auto candidate_object = TRY(isa::CodeObject::open(proposal.candidate_object()));
  // Of what is large one image at a time: then they wait until they are asked for.
  const bool at_once = BaselineStudy::sets_at_once(*bench.capture) > 1;
  out.runs_ = std::async(
      at_once ? std::launch::async : std::launch::deferred,
      [sets, base_object, candidate_object, &bench, launch = proposal.launch,
       fusion = proposal.fusion] {
        const Runner base{*bench.verifier, *bench.capture, base_object, "",
                          bench.optimization->launch};
        const Runner candidate{*bench.verifier, *bench.capture, candidate_object, "",
                               launch,          fusion};
        std::vector<std::optional<Result<emu::Executed>>> runs(2 * sets.size());
        in_parallel(runs.size(), BaselineStudy::sets_at_once(*bench.capture), [&](std::size_t i) {
          runs[i].emplace(modelled(i % 2 == 0 ? base : candidate, sets[i / 2]->input));
        });
        return runs;
      });
  return out;
}

Status TimedElsewhere::enter(const Workbench& bench, double ratio, StageOutcome& accepted) {
  auto runs = runs_.get();
  OtherInputs found{.timings = {}, .assumed = bench.assume_captured};
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const emu::Executed a = TRY(std::move(*runs[2 * i])), b = TRY(std::move(*runs[2 * i + 1]));
    found.timings.push_back({.kind = kinds_[i],
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
