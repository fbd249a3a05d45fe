// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/other_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rpl {
namespace {

constexpr InputClass kTimedKinds[] = {InputClass::again, InputClass::sizes, InputClass::launch};

std::optional<InputClass> kind_named(std::string_view name) {
  const auto found =
      std::ranges::find(kTimedKinds, name, [](auto kind) { return to_string(kind); });
  return found == std::end(kTimedKinds) ? std::nullopt : std::optional(*found);
}

bool is_half_of(double there, double gain) { return std::log(there) >= std::log(gain) / 2; }

Result<Decision> decision_of(const InputTiming& timing, const DecisionRule& rule) {
  return decide(
      {.processes = {{MeasuredBlock{.a_ns = {timing.baseline_ns}, .b_ns = {timing.candidate_ns}}}},
       .deterministic = true,
       .model_band = timing.band},
      rule);
}

}  // namespace

Value to_value(const OtherInputs& of) {
  List timings;
  for (const InputTiming& timing : of.timings) {
    timings.emplace_back(Record{{"input", to_string(timing.kind)},
                                {"baseline_ns", timing.baseline_ns},
                                {"candidate_ns", timing.candidate_ns},
                                {"model_band", timing.band ? Value(*timing.band) : Value()}});
  }
  return Record{{"assumed_like_captured", of.assumed},
                {"held", of.held},
                {"timings", Value(std::move(timings))}};
}

std::optional<OtherInputs> other_inputs_from(const Value& value) {
  const auto part = [](const Value& of, std::string_view name) {
    const Value* found = of.find(name);
    return found ? *found : Value();
  };
  const Value assumed = part(value, "assumed_like_captured"), held = part(value, "held"),
              kept = part(value, "timings");
  if (!assumed.as<bool>() || !held.as<bool>() || !kept.as<List>()) return std::nullopt;
  OtherInputs out{.timings = {}, .assumed = *assumed.as<bool>(), .held = *held.as<bool>()};
  for (const Value& one : *kept.as<List>()) {
    const Value name = part(one, "input");
    const auto kind = name.as<std::string>() ? kind_named(*name.as<std::string>()) : std::nullopt;
    const auto a = part(one, "baseline_ns").number(), b = part(one, "candidate_ns").number();
    if (!kind || !a || !b || !(*a > 0) || !(*b > 0)) return std::nullopt;
    out.timings.push_back({.kind = *kind,
                           .baseline_ns = *a,
                           .candidate_ns = *b,
                           .band = part(one, "model_band").number()});
  }
  return out;
}

Result<std::vector<Reason>> held_elsewhere(const OtherInputs& of, double ratio,
                                           const DecisionRule& rule) {
  std::vector<Reason> out;
  bool seen_near = false;
  for (const InputTiming& timing : of.timings) {
    const Decision decision = TRY(decision_of(timing, rule));
    // The first one has arguments next to the captured ones; those that follow may be far from them, where an edit may well cost something.
    const bool near = timing.kind == InputClass::sizes && !seen_near;
    seen_near = seen_near || near;
    if (of.assumed) continue;
    const std::string there =
        fmt::format("{:.3f} times as fast ({:.3f} to {:.3f} within the model's band) on {}",
                    decision.ratio, decision.ci_low, decision.ci_high, to_string(timing.kind));
    if (timing.kind == InputClass::again && decision.verdict != Verdict::improved &&
        !is_half_of(decision.ratio, ratio)) {
      out.push_back({"captured-values-alone",
                     fmt::format("it gains with the captured values alone: {:.3f} times as fast "
                                 "there, but {}; 'set optimize assume-captured on' takes inputs "
                                 "to be like the captured ones",
                                 ratio, there)});
    } else if (near && decision.verdict == Verdict::regression) {
      out.push_back({"slower-elsewhere",
                     fmt::format("it is {}; 'set optimize assume-captured on' takes arguments to "
                                 "be the captured ones",
                                 there)});
    }
  }
  return out;
}

std::string text_of(const OtherInputs& of, double ratio) {
  if (of.timings.empty()) return {};
  const InputTiming& least = *std::ranges::min_element(of.timings, {}, &InputTiming::ratio);
  if (is_half_of(least.ratio(), ratio)) return "on other inputs, too";
  return fmt::format("{} with {}", least.ratio() < 1 ? "slower" : "less", to_string(least.kind));
}

}  // namespace rpl
