// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "engine/optimize/loop/physical_floor.h"
#include "engine/optimize/loop/stages.h"
#include "engine/optimize/measure/decision.h"

namespace rpl {
namespace {

Value finite_or_null(double number) { return std::isfinite(number) ? Value(number) : Value(); }

double time_of(const Record& evidence, std::string_view which) {
  const Value* side = value_in(evidence, "measure", which);
  const Value* time = side ? side->find("time_ns") : nullptr;
  return time ? time->number().value_or(0) : 0;
}

/// A time that no machine can reach was not measured, or not of this work.
void hold_against_floor(const Proposal& proposal, StageOutcome& out) {
  const Value* kept = value_in(proposal.evidence, "measure", "floor");
  const auto floor = kept ? physical_floor_from(*kept) : std::nullopt;
  const double ns = time_of(proposal.evidence, "candidate");
  if (!floor || ns >= floor->ns) return;
  out.reasons.push_back(
      {"faster-than-possible",
       fmt::format(
           "{:.1f} ns are faster than the machine can: {}. The time or the counts are wrong", ns,
           floor->text())});
}

/// Regressions that the gate does not let through; of runtime, always.
void hold_against_gate(const Proposal& proposal, ResourceGate gate, StageOutcome& out) {
  const Value* kept = value_in(proposal.evidence, "measure", "resources");
  const List* findings = kept ? kept->as<List>() : nullptr;
  for (const Value& finding : findings ? *findings : List{}) {
    const Value* resource = finding.find("resource");
    const Value* message = finding.find("message");
    const std::string* name = resource ? resource->as<std::string>() : nullptr;
    const std::string* text = message ? message->as<std::string>() : nullptr;
    if (name && text && (gate == ResourceGate::on || *name == "runtime"))
      out.reasons.push_back({"resource-" + *name, *text});
  }
}

/// The samples of a clock were kept with the rule that they were taken for; of modelled time one block without spread says everything.
Result<DecisionInput> input_of(const Proposal& proposal, const DecisionRule& rule) {
  if (const Value* kept = value_in(proposal.evidence, "measure", "input"))
    return decision_input_from(*kept);
  return DecisionInput{
      .rule = rule,
      .looks = {.first = 1, .step = 0, .last = 1},
      .samples = {.processes = {{MeasuredBlock{.a_ns = {time_of(proposal.evidence, "baseline")},
                                               .b_ns = {time_of(proposal.evidence, "candidate")}}}},
                  .deterministic = true}};
}

}  // namespace

Result<StageOutcome> decide_stage(const Proposal& proposal, const Workbench& bench) {
  const DecisionInput input = TRY(input_of(proposal, bench.rule));
  const bool modelled = input.samples.deterministic;
  const Decision decision = TRY(decide(input));
  StageOutcome out;
  const bool improved = decision.verdict == Verdict::improved;
  const std::string verdict =
      fmt::format("{} ({})", to_string(decision.verdict), modelled ? "modelled" : "measured");
  out.facts = {{"verdict", to_string(decision.verdict)},
               {"ratio", decision.ratio},
               {"ci_low", decision.ci_low},
               {"ci_high", finite_or_null(decision.ci_high)},
               {"floor", decision.floor},
               {"samples", decision.samples},
               {"design", decision.design},
               {"model", Value::known(text_in(proposal.evidence, "measure", "model"))},
               {"silicon", !modelled},
               {"resource_gate", to_string(bench.gate)},
               {"input", to_value(input)}};
  if (!improved) {
    out.reasons.push_back({fmt::format("{}", to_string(decision.verdict)),
                           fmt::format("{}: ratio {:.4f}, above {:.4f} is needed", verdict,
                                       decision.ratio, 1 + decision.floor)});
  }
  hold_against_floor(proposal, out);
  hold_against_gate(proposal, bench.gate, out);
  out.passed = out.reasons.empty();
  const std::string interval =
      modelled ? "" : fmt::format(" ({:.3f} to {:.3f})", decision.ci_low, decision.ci_high);
  out.found =
      fmt::format("{}: {:.3f} times as fast{}, {} {:.3f} is needed", verdict, decision.ratio,
                  interval, improved ? "more than" : "but more than", 1 + decision.floor);
  if (improved && !out.passed) out.found += "; " + out.reasons.front().message;
  if (out.passed) TRY(build_twice(proposal, bench, out));
  return out;
}

}  // namespace rpl
