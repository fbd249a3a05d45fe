// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/decision_value.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/document/records.h"
#include "engine/optimize/measure/raw_samples.h"

namespace rpl {
namespace {

std::optional<double> known_high(const Decision& decision) {
  return std::isfinite(decision.ci_high) ? std::optional(decision.ci_high) : std::nullopt;
}

constexpr auto kDecision =
    bound_to<Decision>(column<&Decision::verdict>("verdict"), column<&Decision::ratio>("ratio"),
                       column<&Decision::ci_low>("ci_low"), column<&known_high>("ci_high"),
                       column<&Decision::confidence>("confidence"),
                       column<&Decision::floor>("floor"), column<&Decision::samples>("samples"),
                       column<&Decision::looks>("looks"), column<&Decision::design>("design"));

constexpr double kMost = 1e6;
bool is_fraction(double number) { return number >= 0 && number <= kMost; }
bool is_share(double number) { return number > 0 && number < 1; }
bool is_look(double number) { return number >= 1 && number <= kMost; }

constexpr auto kInput = bound_to<DecisionInput>(
    column<&DecisionInput::rule, &DecisionRule::min_improvement>("min_improvement")
        .only(&is_fraction, "a fraction"),
    column<&DecisionInput::rule, &DecisionRule::noise_floor>("noise_floor")
        .only(&is_fraction, "a fraction"),
    column<&DecisionInput::rule, &DecisionRule::confidence>("confidence")
        .only(&is_share, "a number between 0 and 1"),
    column<&DecisionInput::looks, &Looks::first>("first_look").only(&is_look, "1 to 1000000"),
    column<&DecisionInput::looks, &Looks::step>("look_step").only(&is_fraction, "0 to 1000000"),
    column<&DecisionInput::looks, &Looks::last>("last_look").only(&is_fraction, "0 to 1000000"),
    column<&DecisionInput::samples, &Samples::deterministic>("deterministic"),
    column<&DecisionInput::samples, &Samples::processes>("processes"));

}  // namespace

Columns<DecisionInput> bound(const DecisionInput*) { return kInput; }

Record to_record(const Decision& decision) {
  Record out;
  append(out, kDecision, decision);
  return out;
}

Result<DecisionInput> decision_input_from(const Value& value) {
  DecisionInput out = TRY(from_value(kInput, value, "the measurement"));
  TRY(check_input(out));
  return out;
}

Status check_input(const DecisionInput& input) {
  const auto& processes = input.samples.processes;
  for (std::size_t i = 0; i < processes.size(); ++i)
    TRY(check_process(processes[i], fmt::format("processes[{}]", i)));
  return {};
}

}  // namespace rpl
