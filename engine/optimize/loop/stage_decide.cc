// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "engine/optimize/loop/final_verification.h"
#include "engine/optimize/loop/other_inputs.h"
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

/// A modelled gain that is perhaps paid for with what the model does not know the price of.
void hold_against_unpriced(const Proposal& proposal, StageOutcome& out) {
  const std::string what = text_in(proposal.evidence, "measure", "not_priced");
  if (!what.empty())
    out.reasons.push_back({"not-priced", "undecided (modelled): " + what + "; a GPU can tell"});
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
                  .deterministic = true,
                  .model_band = number_in(proposal.evidence, "measure", "model_band")}};
}

/// "improved (modelled): 1.218 times as fast, 1.059 to 1.401 within the model's band".
std::string found_text(const Decision& decision, const DecisionInput& input) {
  const bool modelled = input.samples.deterministic;
  std::string out = fmt::format("{} ({}): {:.3f} times as fast", to_string(decision.verdict),
                                modelled ? "modelled" : "measured", decision.ratio);
  if (!modelled) return out + fmt::format(" ({:.3f} to {:.3f})", decision.ci_low, decision.ci_high);
  if (input.samples.model_band)
    out += fmt::format(", {:.3f} to {:.3f} within the model's band", decision.ci_low,
                       decision.ci_high);
  return out;
}

/// What was needed, and who can tell where the model cannot.
std::string needed_text(const Decision& decision, const DecisionInput& input) {
  const bool improved = decision.verdict == Verdict::improved;
  if (!input.samples.deterministic || !input.samples.model_band)
    return fmt::format(", {} {:.3f} is needed", improved ? "more than" : "but more than",
                       1 + decision.floor);
  if (improved) return fmt::format(", all of it above {:.3f}", 1 + decision.floor);
  return fmt::format("; all of it above {:.3f} is needed{}", 1 + decision.floor,
                     decision.verdict == Verdict::undecided ? ", and a GPU can tell" : "");
}

}  // namespace

Result<Decision> decision_on(const Proposal& measured, const DecisionRule& rule) {
  return decide(TRY(input_of(measured, rule)));
}

Result<StageOutcome> decide_stage(const Proposal& proposal, const Workbench& bench) {
  const DecisionInput input = TRY(input_of(proposal, bench.rule));
  const bool modelled = input.samples.deterministic;
  const Decision decision = TRY(decide(input));
  StageOutcome out;
  const bool improved = decision.verdict == Verdict::improved;
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
                           found_text(decision, input) + needed_text(decision, input)});
  }
  hold_against_floor(proposal, out);
  if (improved && value_in(proposal.evidence, "verify", "left_out"))
    out.reasons.push_back({"not-verified", "it was not verified: 'verify " + proposal.id() + "'"});
  if (modelled) hold_against_unpriced(proposal, out);
  hold_against_gate(proposal, bench.gate, out);
  out.passed = out.reasons.empty();
  out.found = found_text(decision, input) + needed_text(decision, input);
  if (improved && !out.passed) out.found += "; " + out.reasons.front().message;
  if (out.passed) {
    FinalVerification last(proposal, bench);
    TRY(last.on_own_inputs(out));
    std::optional<TimedElsewhere> timed;
    if (out.passed && last.inputs() != nullptr && modelled)
      timed = TRY(TimedElsewhere::begun(proposal, bench, *last.inputs()));
    if (out.passed) TRY(last.in_other_builds(out));
    if (out.passed && timed) TRY(timed->enter(bench, decision.ratio, out));
    if (out.passed) TRY(last.built_twice(out));
  }
  return out;
}

}  // namespace rpl
