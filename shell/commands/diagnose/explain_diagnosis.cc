// SPDX-License-Identifier: MIT
// Trees behind conclusions: labels, headroom, and the facts that they rest on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/att/analyse/legacy.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/diagnose/explanation.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

Derivation tree_leaf(std::string name, std::optional<double> value, Unit unit, std::string source,
                     Provenance provenance) {
  Derivation out;
  out.name = std::move(name);
  out.value = value;
  out.unit = unit;
  out.source = std::move(source);
  out.provenance = provenance;
  return out;
}

Derivation evidence_tree(const diagnose::Evidence& held) {
  const diagnose::Rule& rule = *held.rule;
  Derivation out = tree_leaf(fmt::format("rule {}", rule.id), held.counts ? rule.points : 0,
                             Unit::none, "docs/diagnosis.md", Provenance::none);
  out.unit_text = "points";
  out.formula =
      fmt::format("{} {} {}", to_string(rule.input),
                  rule.test == diagnose::Rule::Test::at_least ? ">=" : "<=", rule.threshold);
  out.note = held.counts ? std::string(rule.says)
                         : fmt::format("{}; a stronger rule of its group counts", rule.says);
  out.inputs.push_back(
      tree_leaf(std::string(to_string(rule.input)), held.fact.value,
                diagnose::info(rule.input).largest <= 1 ? Unit::share : Unit::ratio,
                held.fact.source, held.fact.provenance));
  return out;
}

/// A cause with its evidence and its places.
Derivation finding_tree(const findings::Finding& found) {
  Derivation out = tree_leaf(std::string(to_string(found.cause)),
                             found.worth ? std::optional(found.worth->high) : std::nullopt,
                             Unit::share, "the cycle model, run again", Provenance::modelled);
  out.formula = "1 - cycles without the cause / cycles; what a repair saves lies around it";
  out.note = found.worth ? "assumed: " + found.assumes : "not priced: no mechanism is made ideal";
  if (found.worth)
    out.inputs.push_back(tree_leaf("worth_low", found.worth->low, Unit::share, "docs/diagnosis.md",
                                   Provenance::modelled));
  for (const findings::Evidence& number : found.evidence)
    out.inputs.push_back(tree_leaf(number.what, number.value, Unit::none,
                                   number.modelled ? "the cycle model" : "counted exactly",
                                   Provenance::modelled));
  for (const findings::Place& place : found.where)
    out.inputs.push_back(tree_leaf("share of " + place.text(), place.share, Unit::share,
                                   "counted exactly", Provenance::modelled));
  return out;
}

/// What follows from findings: `name` with a tree for each of them.
Derivation findings_tree(const DiagnosedKernel& kernel, std::string name,
                         std::optional<double> value, std::string formula) {
  Derivation out =
      tree_leaf(std::move(name), value, Unit::share, "findings " + kernel.id, Provenance::modelled);
  out.formula = std::move(formula);
  for (const findings::Finding& one : kernel.findings->all) out.inputs.push_back(finding_tree(one));
  return out;
}

Derivation headroom_high_tree(const DiagnosedKernel& kernel) {
  if (!kernel.findings) return diagnose::explain_headroom_high(kernel.facts);
  return findings_tree(
      kernel, "headroom_high", kernel.headroom.high,
      "1 - cycles without any of the causes / cycles, and what a repair saves beyond");
}

Derivation headroom_low_tree(const DiagnosedKernel& kernel) {
  if (!kernel.findings) return diagnose::explain_headroom_low(kernel.facts);
  return findings_tree(kernel, "headroom_low", kernel.headroom.low,
                       "the largest worth_low of the causes");
}

/// The label by its points, with the scores of the others; beside it how the older tool chose.
Explanation explain_label(const DiagnosedKernel& kernel) {
  if (kernel.findings) {
    Derivation out = findings_tree(kernel, "confidence", kernel.diagnosis.confidence,
                                   "the label above the first cause; no measurement confirms it");
    out.note = to_string(kernel.diagnosis.label);
    return {std::move(out), {}};
  }
  const diagnose::Diagnosis& found = kernel.diagnosis;
  Derivation out = tree_leaf("confidence", found.confidence, Unit::none, "", Provenance::estimated);
  out.note = to_string(found.label);
  out.formula = fmt::format(
      "points / possible points * (1 - points of the runner-up / points / 2); at least {} points "
      "and a rule of each group",
      diagnose::kEnough);
  for (const diagnose::Score& score : found.scores) {
    Derivation one = tree_leaf(fmt::format("points of {}", to_string(score.label)), score.points,
                               Unit::none, "", Provenance::none);
    one.note = score.complete ? "" : "lacks a rule of one of its groups";
    for (const diagnose::Evidence& held : score.evidence) one.inputs.push_back(evidence_tree(held));
    out.inputs.push_back(std::move(one));
  }
  Derivation older = tree_leaf("bottleneck.primary", {}, Unit::none,
                               "older tool, bottleneck_classifier.py", Provenance::none);
  older.formula = "fixed tests of stall_fraction, avg_memory_latency > 200 and the instruction mix";
  older.note =
      "wrong: v_ and s_ are tested before mfma and branches, so that these are always 0 and "
      "divergence cannot be found; the memory latency is divided by static instructions; a roof is "
      "never asked";
  return {std::move(out), std::move(older)};
}

Explanation explain_priority(const DiagnosedKernel& kernel) {
  Derivation out =
      tree_leaf("priority", kernel.headroom.priority, Unit::share, "", Provenance::estimated);
  out.formula = "critical_share * headroom_high";
  out.inputs = {diagnose::derivation_of(diagnose::Input::critical_share, kernel.facts),
                headroom_high_tree(kernel)};
  return {std::move(out), {}};
}

/// What follows from facts.
Result<Explanation> conclusion(const DiagnosedKernel& kernel, const std::string& field) {
  if (field == "label" || field == "confidence") return explain_label(kernel);
  if (field == "priority") return explain_priority(kernel);
  if (field == "headroom_high")
    return Explanation{headroom_high_tree(kernel), diagnose::older_headroom(kernel.facts)};
  if (field == "headroom" || field == "headroom_low")
    return Explanation{headroom_low_tree(kernel), diagnose::older_headroom(kernel.facts)};
  if (const auto input = diagnose::input_named(field))
    return Explanation{diagnose::derivation_of(*input, kernel.facts), {}};
  return fail(Errc::not_found, fmt::format("'{}' of {} cannot be explained", field, kernel.id),
              fmt::format("known: {}", fmt::join(explainable_conclusions(), ", ")));
}

/// A fact of a thread trace as a tree.
Explanation explanation_of(const att::Fact& fact) {
  const auto unit = [](const std::string& text) { return text == "pct" ? std::string("%") : text; };
  Explanation out;
  out.ours = tree_leaf(fact.name, fact.value, Unit::none, fact.source, Provenance::recorded);
  out.ours.unit_text = unit(fact.unit);
  out.ours.formula = fact.formula;
  for (const auto& [name, value] : fact.inputs)
    out.ours.inputs.push_back(tree_leaf(name, value, Unit::none, "", Provenance::recorded));
  if (fact.legacy_name.empty()) return out;
  Derivation older = tree_leaf(fact.legacy_name, fact.legacy_value, Unit::none,
                               "older tool, att_analysis.py", Provenance::none);
  older.formula = fact.legacy_formula;
  older.note = "wrong: " + fact.legacy_why;
  out.older = std::move(older);
  return out;
}

}  // namespace

std::vector<std::string> explainable_conclusions() {
  std::vector<std::string> out{"label",        "confidence",    "headroom",
                               "headroom_low", "headroom_high", "priority"};
  for (std::size_t i = 0; i < diagnose::kInputs; ++i)
    out.emplace_back(to_string(static_cast<diagnose::Input>(i)));
  return out;
}

Result<Explanation> explain_diagnosis(const Inputs& inputs, const std::string& id,
                                      const std::string& field) {
  RooflineArgs args;
  args.kernel = id;
  const DiagnosedKernels all = TRY(diagnosed(inputs, args));
  return conclusion(all.kernels.front(), field);
}

Result<Explanation> explain_thread_trace(const Inputs& inputs, const std::string& id,
                                         const std::string& field) {
  const AttEntry entry = TRY(thread_trace_named(inputs, id));
  const att::ThreadTrace& trace = *entry->value->trace;
  const auto facts = att::stall_facts(trace, att::summarise(trace));
  const auto found = std::ranges::find(facts, field, &att::Fact::name);
  if (found != facts.end()) return explanation_of(*found);
  const auto conclusions = explainable_conclusions();
  if (std::ranges::find(conclusions, field) != conclusions.end())
    return explain_diagnosis(inputs, id, field);
  std::vector<std::string> names;
  for (const att::Fact& fact : facts) names.push_back(fact.name);
  return fail(Errc::not_found, fmt::format("'{}' of a thread trace cannot be explained", field),
              fmt::format("known: {}, {}", fmt::join(names, ", "), fmt::join(conclusions, ", ")));
}

}  // namespace rpl
