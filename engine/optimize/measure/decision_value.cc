// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/decision_value.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/optimize/measure/raw_samples.h"

namespace rpl {
namespace {

Value finite(double number) { return std::isfinite(number) ? Value(number) : Value(); }

Failure not_a_decision(std::string_view field) {
  return fail(Errc::corrupt,
              fmt::format("the measurement's '{}' is missing or no such value", field));
}

Result<double> fraction_in(const Value& value, const char* field) {
  const Value* found = value.find(field);
  const auto number = found ? found->number() : std::nullopt;
  if (!number || !std::isfinite(*number) || *number < 0 || *number > 1e6)
    return not_a_decision(field);
  return *number;
}

Result<std::uint32_t> count_in(const Value& value, const char* field) {
  constexpr std::int64_t kMost = 1'000'000;
  const Value* found = value.find(field);
  const auto* number = found ? found->as<std::int64_t>() : nullptr;
  if (!number || *number < 0 || *number > kMost) return not_a_decision(field);
  return static_cast<std::uint32_t>(*number);
}

}  // namespace

Record to_record(const Decision& decision) {
  return {{"verdict", to_string(decision.verdict)},
          {"ratio", decision.ratio},
          {"ci_low", decision.ci_low},
          {"ci_high", finite(decision.ci_high)},
          {"confidence", decision.confidence},
          {"floor", decision.floor},
          {"samples", decision.samples},
          {"looks", decision.looks},
          {"design", decision.design}};
}

Value to_value(const DecisionInput& input) {
  List processes;
  for (const MeasuredProcess& process : input.samples.processes)
    processes.emplace_back(to_value(process));
  return Value(Record{{"min_improvement", input.rule.min_improvement},
                      {"noise_floor", input.rule.noise_floor},
                      {"confidence", input.rule.confidence},
                      {"first_look", input.looks.first},
                      {"look_step", input.looks.step},
                      {"last_look", input.looks.last},
                      {"deterministic", input.samples.deterministic},
                      {"processes", Value(std::move(processes))}});
}

Result<DecisionInput> decision_input_from(const Value& value) {
  DecisionInput out;
  out.rule.min_improvement = TRY(fraction_in(value, "min_improvement"));
  out.rule.noise_floor = TRY(fraction_in(value, "noise_floor"));
  out.rule.confidence = TRY(fraction_in(value, "confidence"));
  if (!(out.rule.confidence > 0 && out.rule.confidence < 1)) return not_a_decision("confidence");
  out.looks.first = TRY(count_in(value, "first_look"));
  out.looks.step = TRY(count_in(value, "look_step"));
  out.looks.last = TRY(count_in(value, "last_look"));
  if (out.looks.first == 0) return not_a_decision("first_look");
  const Value* deterministic = value.find("deterministic");
  if (!deterministic || !deterministic->as<bool>()) return not_a_decision("deterministic");
  out.samples.deterministic = *deterministic->as<bool>();
  const Value* processes = value.find("processes");
  const List* list = processes ? processes->as<List>() : nullptr;
  if (!list) return not_a_decision("processes");
  for (const Value& blocks : *list)
    out.samples.processes.push_back(
        TRY(process_from(blocks, fmt::format("process {}", out.samples.processes.size() + 1))));
  return out;
}

}  // namespace rpl
