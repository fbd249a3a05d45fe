// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>

#include "engine/document/bound.h"
#include "engine/optimize/measure/decision.h"
#include "shell/core/command/settings.h"

/// How decisions are shown; one shape for all that measures.
namespace rpl {

/// The upper end of the interval; none without bound.
inline std::optional<double> bound_above(const Decision& decision) {
  return std::isfinite(decision.ci_high) ? std::optional(decision.ci_high) : std::nullopt;
}

inline constexpr auto kDecisionColumns = bound_to<Decision>(
    column<&Decision::verdict>("verdict", "improved, regression, equivalent or undecided"),
    column<&Decision::ratio>("ratio", "baseline time / candidate time: above 1 is faster"),
    column<&Decision::ci_low>("ci_low", "lower end of its interval").in(Unit::ratio),
    column<&bound_above>("ci_high", "upper end; null without bound").in(Unit::ratio),
    column<&Decision::floor>("floor", "what the gain must exceed").in(Unit::share),
    column<&Decision::samples>("samples", "dispatches that counted, of both sides"),
    column<&Decision::design>("design",
                              "processes, blocks in each, dispatches of a side in a block")
        .if_room(),
    column<&Decision::looks>("looks", "at which look it was decided").if_room(),
    column<&Decision::confidence>(
        "confidence", "of the interval: more than 0.95 where several looks share the error")
        .in(Unit::share)
        .if_room());

/// 0 improved, 3 regression, 4 equivalent or undecided.
inline int exit_code_of(Verdict verdict) {
  if (verdict == Verdict::improved) return 0;
  return verdict == Verdict::regression ? kRegression : kNothingAccepted;
}

/// What `--min-improvement` says, else the setting. Fails with usage for what is no fraction.
inline Result<double> min_improvement_of(const Settings& settings, std::optional<double> given) {
  const double out = given.value_or(settings.number("optimize min-improvement"));
  if (!(out >= 0 && out < 1))
    return fail(Errc::usage, "--min-improvement takes a fraction from 0 to 1");
  return out;
}

}  // namespace rpl
