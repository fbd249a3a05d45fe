// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/metrics.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "engine/metrics/counters/catalogue.h"
#include "engine/metrics/counters/data_table.h"
#include "engine/metrics/counters/user_file.h"

namespace rpl {
namespace {

Expression built_in(std::string_view text) {
  auto parsed = Expression::parse(text);
  if (!parsed) throw std::logic_error(parsed.error().message);
  return std::move(*parsed);
}

struct OlderRule {
  std::string_view metric;
  std::vector<std::string_view> architectures;
  Expression formula;
  std::string_view why_wrong;
};

const OlderRule* older_rule(std::string_view metric, std::string_view arch) {
  static const std::vector<OlderRule> rules = [] {
    std::vector<OlderRule> out;
    for (const auto& fields : table_lines(counter_data::older())) {
      out.push_back({fields.at(0), words_of(fields.at(1)), built_in(fields.at(2)), fields.at(3)});
    }
    return out;
  }();
  const auto found = std::ranges::find_if(rules, [&](const OlderRule& rule) {
    return rule.metric == metric && std::ranges::count(rule.architectures, arch) > 0;
  });
  return found == rules.end() ? nullptr : &*found;
}

std::optional<double> held(const std::map<std::string, double, std::less<>>& values,
                           std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

bool is_metric(std::string_view name) {
  const auto named = [&](const MetricRule& rule) { return rule.name == name; };
  return std::ranges::any_of(built_in_metrics(), named) ||
         std::ranges::any_of(user_metrics(), named);
}

class Evaluation {
 public:
  explicit Evaluation(const MetricInputs& inputs) : inputs_(inputs) {}

  MetricValue of(std::string_view name, int level = 0) const {
    MetricValue first;
    if (level > kMetricLevels) return first;
    for (const MetricRule* rule : metric_rules(name, inputs_.arch)) {
      std::set<std::string> missing;
      const auto lookup = [&](std::string_view input) { return value_of(input, level, missing); };
      const bool holds = !rule->when || rule->when->evaluate(lookup).value_or(0) != 0;
      // What a condition lacks is not asked for: its rule is a way out, not the way to measure.
      if (rule->when) missing.clear();
      const auto value = holds ? rule->formula.evaluate(lookup) : std::nullopt;
      if (value) return {value, rule, {}};
      if (!first.rule || (first.rule->when && !rule->when))
        first = {std::nullopt, rule, {missing.begin(), missing.end()}};
    }
    return first;
  }

 private:
  std::optional<double> value_of(std::string_view input, int level,
                                 std::set<std::string>& missing) const {
    if (const auto constant = held(inputs_.constants, input)) return constant;
    if (const auto counter = held(inputs_.counters, input)) return counter;
    if (!is_metric(input)) {
      missing.emplace(input);
      return std::nullopt;
    }
    MetricValue inner = of(input, level + 1);
    missing.insert(inner.missing.begin(), inner.missing.end());
    return inner.value;
  }

  const MetricInputs& inputs_;
};

void set_unit(Derivation& out, std::string_view unit) {
  if (unit == "B")
    out.unit = Unit::bytes;
  else if (unit == "share")
    out.unit = Unit::share;
  else if (unit == "ratio")
    out.unit = Unit::ratio;
  else if (unit == "cycles")
    out.unit = Unit::cycles;
  else
    out.unit_text = std::string(unit);
}

Derivation explain_leaf(std::string_view name, const MetricInputs& inputs) {
  Derivation out;
  out.name = std::string(name);
  if (const auto constant = held(inputs.constants, name)) {
    const auto source = inputs.sources.find(name);
    out.value = constant;
    out.source = source == inputs.sources.end() ? "the GPU" : source->second;
    return out;
  }
  if (const CounterInfo* info = CounterCatalogue::current().find(inputs.arch, name)) {
    set_unit(out, info->unit);
    out.note = std::string(info->description);
  }
  out.value = held(inputs.counters, name);
  if (out.value) out.provenance = inputs.provenance;
  out.source = out.value ? inputs.counters_source : "not recorded";
  return out;
}

Derivation explain_level(std::string_view name, const MetricInputs& inputs, int level) {
  if (!is_metric(name) || level > kMetricLevels) return explain_leaf(name, inputs);
  Derivation out;
  out.name = std::string(name);
  const MetricValue value = Evaluation(inputs).of(name);
  out.value = value.value;
  if (!value.rule) {
    out.note = "not known for " + inputs.arch;
    return out;
  }
  set_unit(out, value.rule->unit);
  out.formula = value.rule->formula.text();
  out.note = std::string(value.rule->description);
  out.source = std::string(value.rule->source);
  out.provenance = Provenance::estimated;
  const auto add = [&](const Expression& expression) {
    for (const std::string& input : expression.inputs()) {
      out.inputs.push_back(explain_level(input, inputs, level + 1));
    }
  };
  if (value.rule->when) {
    out.note += " (" + value.rule->when->text() + ")";
    add(*value.rule->when);
  }
  add(value.rule->formula);
  return out;
}

std::optional<Derivation> explain_older(std::string_view name, const MetricInputs& inputs) {
  const OlderRule* rule = older_rule(name, inputs.arch);
  if (!rule) return std::nullopt;
  Derivation out;
  out.name = "older tool's " + std::string(name);
  out.formula = rule->formula.text();
  out.note = std::string(rule->why_wrong);
  out.provenance = Provenance::estimated;
  out.value =
      rule->formula.evaluate([&](std::string_view input) { return held(inputs.counters, input); });
  if (const auto rules = metric_rules(name, inputs.arch); !rules.empty())
    set_unit(out, rules[0]->unit);
  for (const std::string& input : rule->formula.inputs())
    out.inputs.push_back(explain_leaf(input, inputs));
  return out;
}

}  // namespace

const std::vector<MetricRule>& built_in_metrics() {
  static const std::vector<MetricRule> rules = [] {
    std::vector<MetricRule> out;
    for (const auto& fields : table_lines(counter_data::metrics())) {
      std::optional<Expression> when;
      if (fields.at(3) != "-") when = built_in(fields.at(3));
      out.push_back({fields.at(0), fields.at(1), words_of(fields.at(2)), std::move(when),
                     built_in(fields.at(4)), fields.at(5)});
    }
    return out;
  }();
  return rules;
}

std::vector<std::string_view> metric_names(std::string_view arch) {
  std::vector<std::string_view> names;
  for (const auto* rules : {&built_in_metrics(), &user_metrics()}) {
    for (const MetricRule& rule : *rules) {
      const bool here = arch.empty() || std::ranges::count(rule.architectures, arch) > 0;
      if (here && std::ranges::count(names, rule.name) == 0) names.push_back(rule.name);
    }
  }
  return names;
}

std::vector<const MetricRule*> metric_rules(std::string_view name, std::string_view arch) {
  std::vector<const MetricRule*> found;
  for (const auto* rules : {&user_metrics(), &built_in_metrics()}) {
    for (const MetricRule& rule : *rules) {
      if (rule.name == name && std::ranges::count(rule.architectures, arch) > 0)
        found.push_back(&rule);
    }
  }
  return found;
}

std::string impossible(const MetricValue& value) {
  constexpr double kRounding = 1e-9;
  if (!value.value || value.rule == nullptr) return {};
  if (*value.value < 0) {
    return "negative, which cannot be: its counters contradict each other (different passes or "
           "dispatches?)";
  }
  if (value.rule->unit == "share" && *value.value > 1 + kRounding) {
    return "above 1, which cannot be: its counters are of different passes, or a constant of the "
           "GPU is wrong";
  }
  return {};
}

MetricValue metric(std::string_view name, const MetricInputs& inputs) {
  return Evaluation(inputs).of(name);
}

ExplainedMetric explain_metric(std::string_view name, const MetricInputs& inputs) {
  return {explain_level(name, inputs, 0), explain_older(name, inputs)};
}

}  // namespace rpl
