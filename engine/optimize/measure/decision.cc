// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/document/records.h"
#include "engine/optimize/measure/samples.h"
#include "engine/optimize/measure/spread.h"

namespace rpl {
namespace {

bool usable(const std::vector<double>& times) {
  return !times.empty() && std::all_of(times.begin(), times.end(), is_time);
}

/// Log ratios of the blocks that count, by process.
using LogRatios = std::vector<std::vector<double>>;

std::size_t first_counting(const MeasuredProcess& blocks) { return blocks.size() > 1 ? 1 : 0; }

Result<LogRatios> log_ratios(std::span<const MeasuredProcess> processes,
                             std::uint64_t& dispatches) {
  LogRatios ratios;
  ratios.reserve(processes.size());
  std::vector<double> times;
  const auto median = [&](const std::vector<double>& of) {
    times.assign(of.begin(), of.end());
    return median_of(times);
  };
  for (const MeasuredProcess& blocks : processes) {
    std::vector<double> of_process;
    of_process.reserve(blocks.size());
    for (std::size_t i = first_counting(blocks); i < blocks.size(); ++i) {
      const MeasuredBlock& block = blocks[i];
      if (!usable(block.a_ns) || !usable(block.b_ns)) {
        return fail(Errc::corrupt,
                    fmt::format("process {}, block {}: no times, or times that are not positive",
                                &blocks - processes.data() + 1, i + 1));
      }
      of_process.push_back(std::log(median(block.a_ns) / median(block.b_ns)));
      dispatches += block.a_ns.size() + block.b_ns.size();
    }
    if (!of_process.empty()) ratios.push_back(std::move(of_process));
  }
  if (ratios.empty()) return fail(Errc::corrupt, "a measurement without samples");
  return ratios;
}

/// What the times of an A/B design are, apart from the times.
struct TimeKind {
  bool deterministic = false;
  std::optional<double> model_band;

  explicit TimeKind(const Samples& samples)
      : deterministic(samples.deterministic), model_band(samples.model_band) {}
};

void set_interval(const LogRatios& ratios, const TimeKind& kind, Decision& out) {
  const Spread spread(ratios);
  out.ratio = out.ci_low = out.ci_high = std::exp(spread.middle());
  if (kind.deterministic) {
    const double widening = 1 + kind.model_band.value_or(0);
    out.ci_low /= widening;
    out.ci_high *= widening;
    return;
  }
  if (ratios.size() < kFewestProcesses) {
    out.ci_low = 0;
    out.ci_high = std::numeric_limits<double>::infinity();
    return;
  }
  const double tail = (1 - out.confidence) / 2;
  out.ci_low = std::exp(spread.lower(tail, ratios.size()));
  out.ci_high = std::exp(spread.upper(tail, ratios.size()));
}

Verdict verdict_of(const Decision& decision) {
  const double faster = 1 + decision.floor, slower = 1 / faster;
  if (decision.ci_low > faster) return Verdict::improved;
  if (decision.ci_high < slower) return Verdict::regression;
  if (decision.ci_low >= slower && decision.ci_high <= faster) return Verdict::equivalent;
  return Verdict::undecided;
}

std::string count_of(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun,
                     number == 1                                   ? ""
                     : noun.ends_with("s") || noun.ends_with("ch") ? "es"
                                                                   : "s");
}

std::string design_of(std::span<const MeasuredProcess> processes, bool deterministic) {
  std::size_t blocks = 0, dispatches = 0;
  for (const MeasuredProcess& process : processes) {
    blocks = std::max(blocks, process.size());
    for (const MeasuredBlock& block : process) dispatches = std::max(dispatches, block.a_ns.size());
  }
  return fmt::format("{} × {} × {}{}", count_of(processes.size(), "process"),
                     count_of(blocks, "block"), count_of(dispatches, "dispatch"),
                     deterministic ? ", modelled" : "");
}

// The band of a model takes the place of the smallest floor, which stands for what no clock can tell.
double floor_of(const DecisionRule& rule, const TimeKind& kind) {
  constexpr double kSmallestFloor = 0.01;
  if (kind.model_band) return rule.min_improvement > kSmallestFloor ? rule.min_improvement : 0;
  return std::max({rule.noise_floor, rule.min_improvement, kSmallestFloor});
}

Result<Decision> decide_on(std::span<const MeasuredProcess> processes, const TimeKind& kind,
                           const DecisionRule& rule, double confidence) {
  Decision out;
  out.confidence = confidence;
  const LogRatios ratios = TRY(log_ratios(processes, out.samples));
  out.floor = floor_of(rule, kind);
  out.design = design_of(processes, kind.deterministic);
  set_interval(ratios, kind, out);
  out.verdict = verdict_of(out);
  return out;
}

Result<Decision> decide_at(const Samples& samples, std::size_t processes, const DecisionRule& rule,
                           const Looks& looks, std::uint32_t index) {
  const std::span<const MeasuredProcess> all(samples.processes);
  const double confidence =
      samples.deterministic ? rule.confidence : 1 - spent_at(looks, index, rule.confidence);
  Decision out = TRY(
      decide_on(all.first(std::min(processes, all.size())), TimeKind(samples), rule, confidence));
  out.looks = index + 1;
  return out;
}

}  // namespace

double median_ns(const Samples& samples, std::vector<double> MeasuredBlock::* side) {
  std::vector<double> times;
  for (const MeasuredProcess& blocks : samples.processes) {
    for (std::size_t i = first_counting(blocks); i < blocks.size(); ++i)
      times.insert(times.end(), (blocks[i].*side).begin(), (blocks[i].*side).end());
  }
  return times.empty() ? 0 : median_of(times);
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::improved:
      return "improved";
    case Verdict::regression:
      return "regression";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::undecided:
      break;
  }
  return "undecided";
}

std::uint32_t Looks::count() const {
  return last <= first || step == 0 ? 1 : 1 + (last - first + step - 1) / step;
}

std::uint32_t Looks::processes(std::uint32_t index) const {
  return index == 0 ? first : std::min(last, first + index * step);
}

Result<Decision> decide(const Samples& samples, const DecisionRule& rule) {
  return decide_on(samples.processes, TimeKind(samples), rule, rule.confidence);
}

double spent_at(const Looks& looks, std::uint32_t index, double confidence) {
  constexpr double kE = 2.718281828459045;
  const auto cumulative = [&](std::uint32_t look) {
    const double share =
        static_cast<double>(looks.processes(look)) / looks.processes(looks.count() - 1);
    return (1 - confidence) * std::log(1 + (kE - 1) * share);
  };
  return cumulative(index) - (index == 0 ? 0 : cumulative(index - 1));
}

Result<Decision> decide_in_looks(const Samples& samples, const DecisionRule& rule,
                                 const Looks& looks) {
  for (std::uint32_t index = 0;; ++index) {
    const std::uint32_t processes = looks.processes(index);
    const bool is_last = samples.deterministic || index + 1 >= looks.count() ||
                         processes >= samples.processes.size();
    Decision decision = TRY(decide_at(samples, processes, rule, looks, index));
    if (is_last || decision.verdict != Verdict::undecided) return decision;
  }
}

Result<Measurement> measure(Sampler& sampler, const DecisionRule& rule, const Looks& looks) {
  Measurement out{.samples = {}, .decision = {}, .time_source = std::string(sampler.time_source())};
  for (std::uint32_t index = 0; index < looks.count(); ++index) {
    const auto wanted =
        looks.processes(index) - static_cast<std::uint32_t>(out.samples.processes.size());
    Samples more = TRY(sampler.more(wanted));
    out.samples.deterministic = more.deterministic;
    out.samples.model_band = more.model_band;
    std::move(more.processes.begin(), more.processes.end(),
              std::back_inserter(out.samples.processes));
    out.decision = TRY(decide_at(out.samples, out.samples.processes.size(), rule, looks, index));
    if (out.samples.deterministic || out.decision.verdict != Verdict::undecided) break;
  }
  return out;
}

Result<double> noise_floor(const Samples& a_a, std::uint32_t processes) {
  constexpr double kShare = 0.95;
  std::uint64_t dispatches = 0;
  const LogRatios ratios = TRY(log_ratios(a_a.processes, dispatches));
  if (!a_a.deterministic && ratios.size() < kFewestProcesses) {
    return fail(Errc::usage,
                fmt::format("{} of an A/A measurement are too few to tell its noise",
                            count_of(ratios.size(), "process")),
                fmt::format("measure in {} or more", kFewestProcesses));
  }
  return std::expm1(Spread(ratios).absolute(kShare, processes));
}

std::optional<std::size_t> Tournament::winner() const {
  return again && again->decision.verdict == Verdict::improved ? best : std::nullopt;
}

Result<Tournament> measure_several(std::span<Sampler* const> candidates, const DecisionRule& rule,
                                   const Looks& looks) {
  Tournament out;
  for (Sampler* candidate : candidates) {
    out.measured.push_back(TRY(measure(*candidate, rule, looks)));
    const Decision& decision = out.measured.back().decision;
    if (decision.verdict != Verdict::improved) continue;
    if (!out.best || decision.ratio > out.measured[*out.best].decision.ratio)
      out.best = out.measured.size() - 1;
  }
  if (out.best) out.again = TRY(measure(*candidates[*out.best], rule, looks));
  return out;
}

OlderDecision older_decision(const Samples& samples, double threshold) {
  const auto run = [&](std::size_t process, bool candidate) {
    if (process >= samples.processes.size() || samples.processes[process].empty()) return 0.0;
    const MeasuredProcess& blocks = samples.processes[process];
    const MeasuredBlock& block = blocks[first_counting(blocks)];
    const std::vector<double>& times = candidate ? block.b_ns : block.a_ns;
    return times.empty() ? 0.0 : times.front();
  };
  const double before = run(0, false), after = run(samples.processes.size() > 1 ? 1 : 0, true);
  if (!(before > 0) || !(after > 0)) return {};
  const double saved = (before - after) / before;
  return {.accepted = saved >= threshold, .saved = saved};
}

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
    column<&DecisionInput::samples, &Samples::model_band>("model_band")
        .if_known()
        .only(&is_fraction, "a fraction"),
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
