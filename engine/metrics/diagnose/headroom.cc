// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/headroom.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::diagnose {
namespace {

/// The largest known share of waiting, whoever measured it.
std::optional<Input> waiting(const Facts& facts) {
  // The thread trace separates waits by cause; samples see the whole GPU; counters cannot tell waiting from queueing.
  for (const Input input :
       {Input::wait_share, Input::sampled_wait_share, Input::counter_wait_share}) {
    if (facts.find(input) != nullptr) return input;
  }
  return std::nullopt;
}

/// With r times the waves, at best 1 / r of each wait is left exposed.
std::optional<double> step_gain(const Facts& facts) {
  const auto wait = waiting(facts);
  const auto now = facts.value(Input::occupancy_limit), next = facts.value(Input::next_occupancy);
  if (!wait || !now || !next || *next <= *now || *now <= 0) return std::nullopt;
  // Nobody needs room for more waves while there are none to fill it.
  if (facts.value(Input::grid_fill).value_or(1) < 1) return std::nullopt;
  return *facts.value(*wait) * (1 - *now / *next);
}

/// A short dispatch, or one that leaves the device half empty, cannot reach what a benchmark reaches.
bool steady(const Facts& facts) {
  const auto duration = facts.value(Input::duration_ns), fill = facts.value(Input::grid_fill);
  return duration && *duration >= kSteadyNs && fill && *fill >= 0.5;
}

std::optional<double> reach_gain(const Facts& facts, double share) {
  // A lower bound of the share says nothing of how far the roof is.
  const Known* roof = facts.find(Input::roof_share);
  if (!steady(facts) || share >= kReachable || (roof != nullptr && roof->lower_bound))
    return std::nullopt;
  return 1 - share / kReachable;
}

constexpr std::string_view kNoRoof =
    "no roof is known; counters give them (counters plan roofline), and waits alone bound nothing";

Derivation node(std::string name, std::optional<double> value, std::string formula) {
  Derivation out;
  out.name = std::move(name);
  out.value = value;
  out.unit = Unit::share;
  out.formula = std::move(formula);
  out.provenance = Provenance::estimated;
  return out;
}

}  // namespace

Headroom headroom(const Facts& given) {
  const Facts facts = with_derived(given);
  Headroom out;
  if (const auto wait = waiting(facts)) out.waits = facts.value(*wait);
  out.step = step_gain(facts);
  const auto share = facts.value(Input::roof_share);
  if (!share) {
    out.why_unknown = kNoRoof;
    return out;
  }
  out.high = 1 - *share;
  const auto reach = reach_gain(facts, *share);
  out.low = std::min(*out.high, std::max(out.step.value_or(0), reach.value_or(0)));
  if (*out.low > 0)
    out.cause = out.step.value_or(0) >= reach.value_or(0) ? "next occupancy step"
                                                          : "reachable part of the roof";
  if (const auto critical = facts.value(Input::critical_share))
    out.priority = *critical * *out.high;
  return out;
}

Derivation derivation_of(Input input, const Facts& facts) {
  Derivation out;
  out.name = to_string(input);
  out.unit = input == Input::duration_ns ? Unit::ns
             : info(input).largest <= 1  ? Unit::share
                                         : Unit::ratio;
  if (const Known* known = facts.find(input)) {
    out.value = known->value;
    out.source = known->source;
    out.provenance = known->provenance;
  } else {
    out.note = fmt::format("unknown; to be had from {}: {}", to_string(info(input).collect),
                           command_for(info(input).collect));
  }
  return out;
}

Derivation explain_headroom_high(const Facts& given) {
  const Facts facts = with_derived(given);
  const Headroom found = headroom(facts);
  Derivation out = node("headroom_high", found.high, "1 - roof_share");
  Derivation roof = derivation_of(Input::roof_share, facts);
  roof.formula = "max(hbm_share, l2_share, lds_share, compute_share), of those that are known";
  for (const Input input :
       {Input::hbm_share, Input::l2_share, Input::lds_share, Input::compute_share})
    roof.inputs.push_back(derivation_of(input, facts));
  out.inputs.push_back(std::move(roof));
  out.note = found.high ? "no change of this kernel can save more while it does the same work"
                        : std::string(kNoRoof);
  return out;
}

Derivation explain_headroom_low(const Facts& given) {
  const Facts facts = with_derived(given);
  const Headroom found = headroom(facts);
  Derivation out =
      node("headroom_low", found.low, "min(headroom_high, max(occupancy_step, reach))");
  Derivation step =
      node("occupancy_step", found.step,
           "waiting * (1 - occupancy_limit / next_occupancy), if the grid fills the device");
  Derivation wait = derivation_of(waiting(facts).value_or(Input::wait_share), facts);
  step.inputs = {std::move(wait), derivation_of(Input::occupancy_limit, facts),
                 derivation_of(Input::next_occupancy, facts),
                 derivation_of(Input::grid_fill, facts)};
  const auto share = facts.value(Input::roof_share);
  Derivation reach = node(
      "reach", share ? reach_gain(facts, *share) : std::nullopt,
      fmt::format("1 - roof_share / {}, for dispatches of at least {} us that fill half the device",
                  kReachable, kSteadyNs / 1000));
  reach.inputs = {derivation_of(Input::roof_share, facts), derivation_of(Input::duration_ns, facts),
                  derivation_of(Input::grid_fill, facts)};
  out.inputs = {explain_headroom_high(facts), std::move(step), std::move(reach)};
  return out;
}

Derivation older_headroom(const Facts& facts) {
  // T = latency + idle holds stall once; the older tool's denominator is T + stall.
  const auto stall = facts.value(Input::stall_share);
  Derivation out =
      node("headroom_fraction", stall ? std::optional(0.8 * *stall / (1 + *stall)) : std::nullopt,
           "0.8 * stall / (latency + stall + idle)");
  out.inputs.push_back(derivation_of(Input::stall_share, facts));
  out.source = "older tool, att_analysis.py";
  out.note =
      "wrong: latency already contains stall, so the fraction can never exceed 0.5; waits that "
      "other "
      "waves hide cost nothing; and no roof is asked, so that a kernel at its roof gets headroom "
      "too";
  return out;
}

}  // namespace rpl::diagnose
