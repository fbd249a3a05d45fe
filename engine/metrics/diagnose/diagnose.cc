// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::diagnose {
namespace {

constexpr int kGroups = 2;

/// Of the rules that hold in a group, the one with most points; the first of equals.
const Rule* best_of(const std::vector<Evidence>& evidence, int group) {
  const Rule* best = nullptr;
  for (const Evidence& held : evidence) {
    if (held.rule->group != group) continue;
    if (best == nullptr || held.rule->points > best->points) best = held.rule;
  }
  return best;
}

bool has_group(Label label, int group) {
  return std::ranges::any_of(
      rules(), [&](const Rule& rule) { return rule.label == label && rule.group == group; });
}

Score score_of(Label label, const Facts& facts) {
  Score out;
  out.label = label;
  for (const Rule& rule : rules()) {
    if (rule.label != label) continue;
    const Known* known = facts.find(rule.input);
    if (known != nullptr && holds(rule, *known)) out.evidence.push_back({&rule, *known, true});
  }
  out.complete = true;
  for (int group = 1; group <= kGroups; ++group) {
    if (!has_group(label, group)) continue;
    const Rule* best = best_of(out.evidence, group);
    if (best == nullptr) out.complete = false;
    for (Evidence& held : out.evidence) {
      if (held.rule->group == group) held.counts = held.rule == best;
    }
  }
  for (const Evidence& held : out.evidence) {
    if (held.counts) out.points += held.rule->points;
  }
  return out;
}

bool stands(const Score& score) { return score.complete && score.points >= kEnough; }

bool is_told(const Rule& rule, const Facts& facts) {
  const Known* known = facts.find(rule.input);
  return known != nullptr && can_tell(rule, *known);
}

void add_roofs(const Facts& facts, std::vector<Input>& inputs) {
  for (const Input roof :
       {Input::hbm_share, Input::l2_share, Input::lds_share, Input::compute_share}) {
    const Known* known = facts.find(roof);
    if ((known == nullptr || known->lower_bound) && std::ranges::find(inputs, roof) == inputs.end())
      inputs.push_back(roof);
  }
}

/// Counted, but divided by no time, or by one that is too long.
bool lacks_time(Input input, const Facts& facts) {
  return facts.untimed(input) || (input == Input::duration_ns && facts.any_untimed());
}

/// Takes out of `need` what a run without counters would tell, when nothing else can be learned of it: everything where all is counted, and
/// in any case what lacks a time.
Need taken_times(Need& need, const Facts& facts) {
  Need times{Collect::plain_times, {}, command_for(Collect::plain_times)};
  const bool counted = std::ranges::all_of(need.inputs, [&](Input input) {
    return facts.find(input) != nullptr || lacks_time(input, facts);
  });
  for (const Input input : need.inputs) {
    if (counted || lacks_time(input, facts)) times.inputs.push_back(input);
  }
  std::erase_if(need.inputs,
                [&](Input input) { return std::ranges::count(times.inputs, input) > 0; });
  return times;
}

/// Inputs of the rules that `wanted` picks and that are unknown, by what has to be collected. Times come first: they cost least.
template <class Wanted>
std::vector<Need> needs_for(const Facts& facts, Wanted wanted) {
  std::vector<Need> out;
  Need times{Collect::plain_times, {}, command_for(Collect::plain_times)};
  for (const Collect what :
       {Collect::counters, Collect::thread_trace, Collect::samples, Collect::trace}) {
    Need need{what, {}, command_for(what)};
    for (const Rule& rule : rules()) {
      if (info(rule.input).collect != what || is_told(rule, facts)) continue;
      if (!wanted(rule) || std::ranges::find(need.inputs, rule.input) != need.inputs.end())
        continue;
      // These two follow from the shares of the roofs.
      if (rule.input == Input::roof_share || rule.input == Input::all_roofs_share) {
        add_roofs(facts, need.inputs);
      } else {
        need.inputs.push_back(rule.input);
      }
    }
    std::ranges::sort(need.inputs);
    const Need taken = taken_times(need, facts);
    times.inputs.insert(times.inputs.end(), taken.inputs.begin(), taken.inputs.end());
    if (!need.inputs.empty()) out.push_back(std::move(need));
  }
  if (!times.inputs.empty()) out.insert(out.begin(), std::move(times));
  return out;
}

double confidence_of(const Facts& facts, const std::vector<Score>& scores, const Score& winner) {
  int second = 0;
  for (const Score& score : scores) {
    if (&score != &winner && stands(score)) second = std::max(second, score.points);
  }
  // What might speak against it and is not known makes it less sure.
  int possible = possible_points(winner.label);
  for (const Rule& rule : rules()) {
    if (rule.label == winner.label && rule.points < 0 && !is_told(rule, facts))
      possible -= rule.points;
  }
  const double share = std::min(1.0, static_cast<double>(winner.points) / possible);
  return share * (1 - 0.5 * second / winner.points);
}

}  // namespace

const std::vector<Evidence>& Diagnosis::evidence() const {
  static const std::vector<Evidence> none;
  const auto found = std::ranges::find(scores, label, &Score::label);
  return found == scores.end() ? none : found->evidence;
}

std::string_view Diagnosis::confidence_word() const {
  if (label == Label::insufficient) return "none";
  return confidence >= kHigh ? "high" : confidence >= kMedium ? "medium" : "low";
}

Diagnosis diagnose(const Facts& given) {
  const Facts facts = with_derived(given);
  Diagnosis out;
  out.notes = facts.rejected();
  for (const Label label : kLabels) out.scores.push_back(score_of(label, facts));
  const Score* winner = nullptr;
  for (const Score& score : out.scores) {
    if (stands(score) && (winner == nullptr || score.points > winner->points)) winner = &score;
  }
  if (winner == nullptr) {
    out.needs = needs_for(facts, [](const Rule& rule) { return rule.group != 0; });
    return out;
  }
  out.label = winner->label;
  out.confidence = confidence_of(facts, out.scores, *winner);
  out.needs = needs_for(facts, [&](const Rule& rule) { return rule.label == out.label; });
  return out;
}

std::string evidence_text(const Evidence& evidence) {
  const Rule& rule = *evidence.rule;
  const auto shown = [](double value) {
    const bool whole = value >= 1e3 && value < 1e7;
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  };
  return fmt::format("{}: {} {} {} {}", rule.says, to_string(rule.input),
                     shown(evidence.fact.value),
                     rule.test == Rule::Test::at_least ? ">=" : "<=", shown(rule.threshold));
}

}  // namespace rpl::diagnose
