// SPDX-License-Identifier: MIT
// Stall heat beside source and instructions.
#include "shell/commands/att/att_heat.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/att/analyse/summary.h"
#include "engine/base/numbers.h"
#include "engine/base/one_line.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

std::size_t heat_bar_width(const Canvas& canvas) {
  constexpr std::size_t kNarrow = 10, kWide = 30;
  return std::clamp(canvas.width / 8, kNarrow, kWide);
}

std::string place_text(const att::Place& place) {
  if (place.file.empty()) return "(no source)";
  return on_one_line(fmt::format("{}:{}", att::file_name_of(place.file), place.line));
}

/// The rest of the chain, outwards: "rowsum.hip:19".
std::string callers_text(const att::LineCost& line) {
  std::set<std::string> callers;
  for (const std::string& chain : line.chains) {
    std::vector<std::string> names;
    for (const att::Place& place : att::chain_of(chain)) {
      if (place != line.place) names.push_back(place_text(place));
    }
    callers.insert(fmt::format("{}", fmt::join(names, " <- ")));
  }
  return fmt::format("{}", fmt::join(callers, ", "));
}

}  // namespace

att::Cost cost_of_row(const att::Instruction& row) {
  return {.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle};
}

att::Samples samples_of_row(const att::CodeTable& code, std::uint32_t at) {
  return code.samples.empty() ? att::Samples() : code.samples[at];
}

HeatScale::HeatScale(const att::CodeTable& code) : samples(!code.timed) {
  for (std::size_t i = 0; i < code.rows.size(); ++i)
    whole += samples ? static_cast<double>(code.samples[i].count())
                     : static_cast<double>(code.rows[i].latency);
}

double HeatScale::share(const att::Cost& cost, const att::Samples& sampled) const {
  const auto part = static_cast<double>(samples ? sampled.count() : cost.latency);
  return att::percent(part, whole).value_or(0);
}

double HeatScale::stalled(const att::Cost& cost, const att::Samples& sampled) const {
  return samples ? att::percent(static_cast<double>(sampled.stalled),
                                static_cast<double>(sampled.count()))
                       .value_or(0)
                 : att::percent(static_cast<double>(cost.stall), static_cast<double>(cost.latency))
                       .value_or(0);
}

att::Inlining inlining_of(const std::string& word) {
  return word == "all"      ? att::Inlining::all
         : word == "caller" ? att::Inlining::caller
                            : att::Inlining::leaf;
}

std::size_t heat_width(const Canvas& canvas) { return 20 + heat_bar_width(canvas); }

std::string heat_header(bool samples, const Canvas& canvas) {
  return fmt::format("{:>8} {:>8}  {:<{}} ", samples ? "samples" : "cycles", "stalled", "",
                     heat_bar_width(canvas));
}

std::string heat_cells(double share_pct, double stalled_pct, double most_pct,
                       const Canvas& canvas) {
  const std::size_t width = heat_bar_width(canvas);
  const double share = most_pct > 0 ? std::clamp(share_pct / most_pct, 0.0, 1.0) : 0;
  auto filled = static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  if (share_pct > 0 && filled == 0) filled = 1;
  const auto dark = static_cast<std::size_t>(
      std::lround(static_cast<double>(filled) * std::clamp(stalled_pct, 0.0, 100.0) / 100));
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) {
    const bool stalled = i < dark;
    bar += i >= filled ? " " : canvas.unicode ? (stalled ? "█" : "░") : (stalled ? "#" : "-");
  }
  if (share_pct == 0) return fmt::format("{:>8} {:>8}  {} ", "", "", bar);
  return fmt::format("{:>6.2f} % {:>6.1f} %  {} ", share_pct, stalled_pct, bar);
}

const std::string& SourceLines::text(const att::Place& place) {
  static const std::string kNothing;
  const auto [file, is_new] = files_.try_emplace(place.file);
  if (is_new && !place.file.empty()) {
    const auto whole = trace_.source_text(place.file);
    const std::string_view all = whole ? std::string_view(*whole) : std::string_view();
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      const std::size_t first = std::min(all.find_first_not_of(" \t", at), end);
      file->second.emplace_back(all.substr(first, end - first));
      at = end + 1;
    }
  }
  const auto index = static_cast<std::uint64_t>(place.line - 1);
  return place.line > 0 && index < file->second.size()
             ? file->second[static_cast<std::size_t>(index)]
             : kNothing;
}

std::string lines_text(const std::vector<att::LineCost>& lines, const HeatScale& scale,
                       SourceLines& sources, std::string_view relation, const Canvas& canvas) {
  std::size_t places = 8;
  double most = 0;
  for (const att::LineCost& line : lines) {
    places = std::max(places, place_text(line.place).size());
    most = std::max(most, scale.share(line.cost, line.samples));
  }
  places = std::min<std::size_t>(places, canvas.width / 4);
  const std::size_t rest = canvas.width > heat_width(canvas) + places + 12
                               ? canvas.width - heat_width(canvas) - places - 2
                               : 10;
  std::string text =
      heat_header(scale.samples, canvas) + fmt::format("{:<{}}  source\n", "line", places);
  for (const att::LineCost& line : lines) {
    std::string shown = heat_cells(scale.share(line.cost, line.samples),
                                   scale.stalled(line.cost, line.samples), most, canvas);
    shown += fmt::format("{}  {}", fitted(place_text(line.place), places),
                         elide_middle(sources.text(line.place), rest));
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
    const std::string callers = callers_text(line);
    if (!callers.empty())
      text += std::string(heat_width(canvas), ' ') +
              elide_middle(fmt::format("  {} {}", relation, callers), places + rest) + "\n";
  }
  return text;
}

std::vector<std::uint32_t> insts_order(const att::CodeTable& code, std::int64_t top) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t at = 0; at < code.rows.size(); ++at) {
    if (top <= 0 || !code.rows[at].label) order.push_back(at);
  }
  if (top <= 0) return order;
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return code.timed ? code.rows[a].latency > code.rows[b].latency
                      : code.samples[a].count() > code.samples[b].count();
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(top)));
  return order;
}

std::vector<std::vector<std::int64_t>> waited_for(const att::ThreadTrace& trace,
                                                  const att::WaveFacts* facts) {
  std::vector<std::vector<std::int64_t>> out(trace.code.rows.size());
  if (!facts) return out;
  for (const att::WaitPair& pair : facts->pairs)
    out[pair.wait_row].push_back(trace.code.rows[pair.row].line);
  return out;
}

std::string insts_text(const att::ThreadTrace& trace, const std::vector<std::uint32_t>& order,
                       bool all, const std::vector<std::vector<std::int64_t>>& waits,
                       const HeatScale& scale, const Canvas& canvas) {
  constexpr double kWarm = 0.5;
  const att::CodeTable& code = trace.code;
  double most = 0;
  for (const std::uint32_t at : order)
    most = std::max(most, scale.share(cost_of_row(code.rows[at]), samples_of_row(code, at)));
  const bool hits = !scale.samples;
  std::string text = heat_header(scale.samples, canvas) +
                     (hits ? fmt::format("{:>9} {:>7} ", "executed", "each") : "") +
                     "  line  instruction\n";
  const std::size_t taken = heat_width(canvas) + (hits ? 18 : 0) + 8;
  const std::size_t rest = canvas.width > taken + 20 ? canvas.width - taken : 20;
  std::size_t left_out = 0;
  double cold = 0;
  const auto say_cold = [&] {
    if (left_out > 0)
      text += fmt::format("{:>8}  ({} instruction{}, {:.2f} %)\n", "..", left_out,
                          left_out == 1 ? "" : "s", cold);
    left_out = 0;
    cold = 0;
  };
  for (const std::uint32_t at : order) {
    const att::Instruction& row = code.rows[at];
    const double share = scale.share(cost_of_row(code.rows[at]), samples_of_row(code, at));
    if (row.label) {
      say_cold();
      text += elide_middle(short_kernel(code.function_of(at)) + ":", canvas.width) + "\n";
      continue;
    }
    if (!all && share < kWarm) {
      ++left_out;
      cold += share;
      continue;
    }
    say_cold();
    text += heat_cells(share, scale.stalled(cost_of_row(code.rows[at]), samples_of_row(code, at)),
                       most, canvas);
    if (hits && row.hit > 0) {
      text += fmt::format("{:>9} {:>7.1f} ", format_count(row.hit),
                          static_cast<double>(row.latency) / static_cast<double>(row.hit));
    } else if (hits) {
      text += std::string(18, ' ');
    }
    std::string shown = row.text;
    if (!waits[at].empty()) shown += fmt::format("  <- {}", fmt::join(waits[at], ", "));
    text += fmt::format("{:>6}  {}\n", row.line, elide_middle(shown, rest));
  }
  say_cold();
  return text;
}

std::vector<att::HeatRow> line_heat(const att::ThreadTrace& trace,
                                    const std::vector<att::LineCost>& lines, std::size_t top) {
  const HeatScale scale(trace.code);
  SourceLines sources(trace);
  std::vector<att::HeatRow> rows;
  for (const att::LineCost& line : lines) {
    const double share = scale.share(line.cost, line.samples);
    if (rows.size() == top || share == 0) break;
    rows.push_back({place_text(line.place), sources.text(line.place), share,
                    scale.stalled(line.cost, line.samples)});
  }
  return rows;
}

std::vector<att::HeatRow> inst_heat(const att::ThreadTrace& trace, std::size_t top) {
  const HeatScale scale(trace.code);
  std::vector<att::HeatRow> rows;
  for (const std::uint32_t at : insts_order(trace.code, static_cast<std::int64_t>(top))) {
    const att::Instruction& row = trace.code.rows[at];
    const att::Samples samples = samples_of_row(trace.code, at);
    const double share = scale.share(cost_of_row(row), samples);
    if (share == 0) break;
    rows.push_back({fmt::format("line {}", row.line), row.text, share,
                    scale.stalled(cost_of_row(row), samples)});
  }
  return rows;
}

}  // namespace rpl
