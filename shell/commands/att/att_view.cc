// SPDX-License-Identifier: MIT
#include "shell/commands/att/att_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

using att::Category;
using att::Summary;

constexpr std::size_t kNameWidth = 16, kNumberWidth = 8;

std::string bar_line(std::string_view name, double pct, const Canvas& canvas,
                     std::size_t names = kNameWidth) {
  const std::size_t taken = 2 + names + kNumberWidth + 2;
  const std::size_t room =
      canvas.width > taken + 10 ? std::min<std::size_t>(canvas.width - taken, 100) : 10;
  std::string line = fmt::format("  {:<{}}{:>{}}  {}", name, names, fmt::format("{:.2f} %", pct),
                                 kNumberWidth, bar(pct / 100, room, canvas.unicode));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string strip_line(std::string_view name, const std::vector<double>& values, double most,
                       std::string_view scale, bool unicode) {
  std::string line = fmt::format("  {:<6}", name);
  for (const double value : values) line += level(most > 0 ? value / most : 0, unicode);
  return line + fmt::format("  {}\n", scale);
}

}  // namespace

Provenance provenance_of(const att::ThreadTrace& trace) {
  return trace.manifest.model.empty() ? Provenance::recorded : Provenance::modelled;
}

std::string pct_text(std::optional<double> pct) {
  return pct ? fmt::format("{:.2f} %", *pct) : "-";
}

std::vector<std::pair<std::string, std::uint64_t>> cycle_parts(const Summary& summary) {
  std::vector<std::pair<std::string, std::uint64_t>> parts;
  parts.emplace_back("issue", summary.totals.issue() - summary.drain);
  parts.emplace_back("drain", summary.drain);
  parts.emplace_back("idle", summary.totals.idle);
  parts.emplace_back("wait barrier", summary.barrier_stall);
  for (const auto& [counter, stall] : summary.wait_by_counter)
    parts.emplace_back("wait " + counter, stall);
  for (std::size_t pipe = 0; pipe < att::kCategories; ++pipe) {
    parts.emplace_back(fmt::format("stall {}", to_string(static_cast<Category>(pipe))),
                       summary.pipe_stall[pipe]);
  }
  std::erase_if(parts, [](const auto& part) { return part.second == 0; });
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.second > b.second; });
  return parts;
}

std::vector<std::pair<std::string, double>> cycle_shares(const Summary& summary) {
  std::vector<std::pair<std::string, double>> shares;
  for (const auto& [name, cycles] : cycle_parts(summary))
    shares.emplace_back(name, summary.of_cycles_pct(cycles).value_or(0));
  return shares;
}

std::string cycle_bars(const Summary& summary, const Canvas& canvas) {
  if (summary.cycles() == 0) return {};
  std::string text = fmt::format("where {} wave-cycles went\n", format_count(summary.cycles()));
  for (const auto& [name, pct] : cycle_shares(summary)) text += bar_line(name, pct, canvas);
  return text;
}

WaveStrips wave_strips(const att::ThreadTrace& trace, const att::WaveFacts* facts,
                       const Summary& summary, std::size_t bins) {
  WaveStrips strips;
  strips.states = trace.states.empty() && facts ? att::narrowed(facts->strip, bins)
                                                : att::state_strip(trace.states, bins);
  if (trace.occupancy)
    strips.waves = att::occupancy_strip(*trace.occupancy, summary.clock_offsets, bins);
  return strips;
}

std::string state_strip_text(const att::ThreadTrace& trace, const att::WaveFacts* facts,
                             const Summary& summary, const Canvas& canvas) {
  constexpr std::size_t kBeside = 30, kLongest = 150;
  const std::size_t bins =
      canvas.width > kBeside + 20 ? std::min(canvas.width - kBeside, kLongest) : 20;
  std::string text;
  const auto [states, waves] = wave_strips(trace, facts, summary, bins);
  if (!states.bins.empty()) {
    text += fmt::format("states of the traced waves over {} cycles{}\n",
                        format_count(static_cast<std::uint64_t>(states.last - states.first)),
                        summary.coverage.engines > 1 ? ", clocks of the engines as recorded" : "");
    for (const std::size_t state : {att::kExecState, att::kWaitState, att::kStallState}) {
      std::vector<double> values;
      double whole = 0, part = 0;
      for (const auto& bin : states.bins) {
        double here = 0;
        for (const double cycles : bin) here += cycles;
        values.push_back(here > 0 ? bin[state] / here : 0);
        whole += here;
        part += bin[state];
      }
      text += strip_line(att::wave_state_name(state), values, 1,
                         fmt::format("{} of the time", pct_text(att::percent(part, whole))),
                         canvas.unicode);
    }
  }
  if (waves.waves.empty()) return text;
  const double most = *std::ranges::max_element(waves.waves);
  text += fmt::format("waves in flight on all compute units of {} shader engine{}, {} cycles{}\n",
                      summary.coverage.engines_recorded,
                      summary.coverage.engines_recorded == 1 ? "" : "s",
                      format_count(static_cast<std::uint64_t>(waves.last - waves.first)),
                      summary.clock_offsets.empty() && summary.coverage.engines_recorded > 1
                          ? ", clocks not aligned"
                          : "");
  return text +
         strip_line("waves", waves.waves, most, fmt::format("up to {:.0f}", most), canvas.unicode);
}

std::string mix_text(const Summary& summary, const Canvas& canvas) {
  std::vector<std::size_t> pipes;
  std::uint64_t hits = 0, latency = 0;
  for (std::size_t pipe = 0; pipe < att::kCategories; ++pipe) {
    if (summary.mix[pipe].hits == 0) continue;
    pipes.push_back(pipe);
    hits += summary.mix[pipe].hits;
    latency += summary.mix[pipe].latency;
  }
  if (pipes.empty()) return {};
  std::ranges::stable_sort(pipes, [&](std::size_t a, std::size_t b) {
    return summary.mix[a].latency > summary.mix[b].latency;
  });
  std::string text =
      "pipe        executed            latency           stall/latency  cycles each\n";
  for (const std::size_t pipe : pipes) {
    const att::Cost& cost = summary.mix[pipe];
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
      return att::percent(static_cast<double>(part), static_cast<double>(whole)).value_or(0);
    };
    text += fmt::format("{:<10}{:>10} {:>5.1f} % {:>12} {:>5.1f} % {:>10.1f} % {:>12.1f}",
                        to_string(static_cast<Category>(pipe)), format_count(cost.hits),
                        share(cost.hits, hits), format_count(cost.latency),
                        share(cost.latency, latency), share(cost.stall, cost.latency),
                        static_cast<double>(cost.latency) / static_cast<double>(cost.hits));
    constexpr std::size_t kTable = 78;
    if (canvas.width > kTable + 20)
      text += "  " + bar(share(cost.latency, latency) / 100,
                         std::min<std::size_t>(canvas.width - kTable - 4, 60), canvas.unicode);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string coverage_text(const att::Coverage& coverage) {
  const auto of = [](std::uint64_t part, std::uint64_t whole, std::string_view what) {
    const std::string known = whole > 0 ? fmt::format(" of {}", format_count(whole)) : "";
    return fmt::format("{}{} {}{}", format_count(part), known, what,
                       (whole > 0 ? whole : part) == 1 ? "" : "s");
  };
  if (coverage.waves == 0) return "no waves were traced";
  std::string text =
      fmt::format("{} in {}", of(coverage.units, coverage.device_units, "compute unit"),
                  of(coverage.engines, coverage.device_engines, "shader engine"));
  if (coverage.launched) {
    text += fmt::format(
        "; {} of {} waves launched there ({:.1f} %)", format_count(coverage.waves),
        format_count(*coverage.launched),
        att::percent(static_cast<double>(coverage.waves), static_cast<double>(*coverage.launched))
            .value_or(0));
  } else {
    text += fmt::format("; {} waves", format_count(coverage.waves));
  }
  return text;
}

att::Samples all_samples(const att::CodeTable& code) {
  att::Samples all;
  for (const att::Samples& row : code.samples) {
    all.issued += row.issued;
    all.stalled += row.stalled;
    for (std::size_t i = 0; i < att::kStallReasons; ++i) all.reasons[i] += row.reasons[i];
  }
  return all;
}

std::vector<std::pair<std::string, double>> sample_shares(const att::CodeTable& code) {
  const att::Samples all = all_samples(code);
  std::vector<std::pair<std::string, double>> shares;
  if (all.count() == 0) return shares;
  const auto pct = [&](std::uint64_t part) {
    return 100 * static_cast<double>(part) / static_cast<double>(all.count());
  };
  for (std::size_t i = 0; i < att::kStallReasons; ++i) {
    if (all.reasons[i] > 0) shares.emplace_back(att::stall_reason_name(i), pct(all.reasons[i]));
  }
  std::ranges::stable_sort(shares,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  shares.insert(shares.begin(), {"issued", pct(all.issued)});
  return shares;
}

std::string sample_bars(const att::CodeTable& code, const Canvas& canvas) {
  const std::uint64_t all = all_samples(code).count();
  if (all == 0) return {};
  constexpr std::size_t kReasonWidth = 25;
  std::string text = fmt::format("{} samples\n", format_count(all));
  for (const auto& [name, pct] : sample_shares(code))
    text += bar_line(name, pct, canvas, kReasonWidth);
  return text;
}

}  // namespace rpl
