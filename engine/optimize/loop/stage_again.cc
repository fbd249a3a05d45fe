// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/optimize/loop/stages.h"
#include "engine/optimize/measure/decision.h"

namespace rpl {

Result<StageOutcome> again_stage(const Proposal& winner, const Workbench& bench) {
  if (!bench.measuring.target) {
    return fail(Errc::missing_capability,
                fmt::format("{} was timed by a clock and has to be measured again", winner.id()),
                "'target local' measures");
  }
  // Another seed than the first time: the orders of blocks are fresh, too.
  constexpr std::uint64_t kFresh = 1'000'000;
  auto found = measure_pair(bench.measuring, *bench.optimization, winner, *bench.capture,
                            bench.rule, kFresh + static_cast<std::uint64_t>(winner.number));
  StageOutcome out;
  if (!found && found.error().code == Errc::verification_failed) {
    out.found = "wrong: " + found.error().message;
    out.reasons.push_back({"wrong-when-timed", found.error().message});
    out.facts = {{"verdict", "wrong"}};
    return out;
  }
  const PairMeasurement measured = TRY(std::move(found));
  const Decision& decision = measured.measurement.decision;
  out.facts = to_record(decision);
  out.facts.emplace_back("input", to_value(DecisionInput{.rule = bench.rule,
                                                         .looks = bench.measuring.looks,
                                                         .samples = measured.measurement.samples}));
  out.passed = decision.verdict == Verdict::improved;
  const double first = number_in(winner.evidence, "decide", "ratio").value_or(0);
  out.found =
      fmt::format("best of several, measured again: {}, {:.3f} times as fast; {:.3f} at first",
                  to_string(decision.verdict), decision.ratio, first);
  if (!out.passed)
    out.reasons.push_back(
        {"not-again", fmt::format("it was the best of several, and {} when measured again: ratio "
                                  "{:.4f}, at first {:.4f}",
                                  to_string(decision.verdict), decision.ratio, first)});
  return out;
}

}  // namespace rpl
