// SPDX-License-Identifier: MIT
#include "engine/measure/decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace rpl {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

bool usable(const std::vector<double>& times) {
  return !times.empty() &&
         std::all_of(times.begin(), times.end(), [](double t) { return std::isfinite(t) && t > 0; });
}

/// Log ratios of the blocks that count, by process.
using LogRatios = std::vector<std::vector<double>>;

Result<LogRatios> log_ratios(const Samples& samples, Decision& out) {
  LogRatios ratios;
  for (const auto& blocks : samples.processes) {
    std::vector<double> of_process;
    for (std::size_t i = blocks.size() > 1 ? 1 : 0; i < blocks.size(); ++i) {
      const MeasuredBlock& block = blocks[i];
      if (!usable(block.a_ns) || !usable(block.b_ns)) {
        return fail(Errc::corrupt, fmt::format("process {}, block {}: no times, or times that are not positive",
                                               ratios.size() + 1, i + 1));
      }
      of_process.push_back(std::log(median(block.a_ns) / median(block.b_ns)));
      out.samples += block.a_ns.size() + block.b_ns.size();
    }
    if (!of_process.empty()) ratios.push_back(std::move(of_process));
  }
  if (ratios.empty()) return fail(Errc::corrupt, "a measurement without samples");
  return ratios;
}

/// Processes weigh equally, whatever their number of blocks.
double estimate(const LogRatios& ratios) {
  std::vector<double> of_processes;
  of_processes.reserve(ratios.size());
  for (const auto& blocks : ratios) of_processes.push_back(median(blocks));
  return median(std::move(of_processes));
}

std::vector<double> bootstrap(const LogRatios& ratios, const DecisionRule& rule) {
  std::mt19937_64 random(rule.seed);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::vector<double> out(rule.resamples);
  for (double& resample : out) {
    LogRatios drawn(ratios.size());
    for (auto& blocks : drawn) {
      const auto& from = ratios[below(ratios.size())];
      for (std::size_t i = 0; i < from.size(); ++i) blocks.push_back(from[below(from.size())]);
    }
    resample = estimate(drawn);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void set_interval(const LogRatios& ratios, const Samples& samples, const DecisionRule& rule, Decision& out) {
  const double middle = estimate(ratios);
  out.ratio = out.ci_low = out.ci_high = std::exp(middle);
  const bool single = ratios.size() == 1 && ratios.front().size() == 1;
  if (samples.deterministic || rule.resamples == 0) return;
  if (single) {
    // One block says nothing about the spread.
    out.ci_low = 0;
    out.ci_high = INFINITY;
    return;
  }
  const std::vector<double> resampled = bootstrap(ratios, rule);
  const double tail = (1 - rule.confidence) / 2;
  const auto at = [&](double share) {
    return std::exp(resampled[static_cast<std::size_t>(share * static_cast<double>(resampled.size() - 1))]);
  };
  out.ci_low = at(tail);
  out.ci_high = at(1 - tail);
}

Verdict verdict_of(const Decision& decision) {
  const double faster = 1 + decision.floor, slower = 1 / faster;
  if (decision.ci_low > faster) return Verdict::improved;
  if (decision.ci_high < slower) return Verdict::regression;
  if (decision.ci_low >= slower && decision.ci_high <= faster) return Verdict::equivalent;
  return Verdict::undecided;
}

std::string count_of(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : noun.ends_with("s") || noun.ends_with("ch") ? "es" : "s");
}

std::string design_of(const Samples& samples) {
  std::size_t blocks = 0, dispatches = 0;
  for (const auto& process : samples.processes) {
    blocks = std::max(blocks, process.size());
    for (const auto& block : process) dispatches = std::max(dispatches, block.a_ns.size());
  }
  return fmt::format("{} × {} × {}{}", count_of(samples.processes.size(), "process"),
                     count_of(blocks, "block"), count_of(dispatches, "dispatch"),
                     samples.deterministic ? ", modelled" : "");
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::improved: return "improved";
    case Verdict::regression: return "regression";
    case Verdict::equivalent: return "equivalent";
    case Verdict::undecided: break;
  }
  return "undecided";
}

Result<Decision> decide(const Samples& samples, const DecisionRule& rule) {
  constexpr double kSmallestFloor = 0.01;
  Decision out;
  const LogRatios ratios = TRY(log_ratios(samples, out));
  out.floor = std::max({rule.noise_floor, rule.min_improvement, kSmallestFloor});
  out.design = design_of(samples);
  set_interval(ratios, samples, rule, out);
  out.verdict = verdict_of(out);
  return out;
}

}  // namespace rpl
