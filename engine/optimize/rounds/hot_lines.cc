// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/att/analyse/lines.h"
#include "engine/att/analyse/summary.h"
#include "engine/att/read/wait_model.h"

namespace rpl {
namespace {

constexpr double kPerCent = 100;

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

std::vector<std::string_view> trimmed_lines(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

/// Where the line stands now, from 1; 0 for nowhere, or who knows where.
std::size_t line_now(const std::vector<std::string_view>& now, std::string_view text,
                     std::size_t was) {
  if (text.empty()) return 0;
  if (was >= 1 && was <= now.size() && now[was - 1] == text) return was;
  if (std::ranges::count(now, text) != 1) return 0;
  return static_cast<std::size_t>(std::ranges::find(now, text) - now.begin()) + 1;
}

/// What kept waves from issuing an instruction: the counters that it waits for, a barrier, or its pipe.
std::string stall_class(const att::Instruction& row) {
  if (row.traits.wait) return "waiting for " + att::waited_counters(row.text);
  if (row.traits.barrier) return "at a barrier";
  return fmt::format("issuing {}", att::to_string(row.traits.category));
}

using Classes = std::map<std::string, std::uint64_t>;

Classes classes_of(const att::CodeTable& code, const att::LineCost& line) {
  Classes out;
  if (!code.timed) {
    for (std::size_t i = 0; i < line.samples.reasons.size(); ++i) {
      if (line.samples.reasons[i] > 0)
        out[std::string(att::stall_reason_name(i))] += line.samples.reasons[i];
    }
    return out;
  }
  for (const std::uint32_t at : line.rows) {
    const att::Instruction& row = code.rows[at];
    if (row.stall > 0) out[stall_class(row)] += row.stall;
  }
  return out;
}

/// ", stalled 92 % of that: waiting for vmcnt 88 %, issuing VALU 4 %": of the line's own cycles or samples; what is below 1 % is left out.
std::string stalls_text(const Classes& classes, double whole) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(classes.begin(), classes.end());
  std::ranges::stable_sort(sorted,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  const auto percent = [whole](std::uint64_t part) {
    return whole > 0 ? kPerCent * static_cast<double>(part) / whole : 0;
  };
  constexpr std::size_t kMostClasses = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostClasses); ++i) {
    if (percent(sorted[i].second) >= 1)
      out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", sorted[i].first,
                         percent(sorted[i].second));
  }
  const std::uint64_t all =
      std::accumulate(sorted.begin(), sorted.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& one) { return sum + one.second; });
  return out.empty() ? "" : fmt::format(", stalled {:.0f} % of that: {}", percent(all), out);
}

double weight(const att::CodeTable& code, const att::LineCost& line) {
  return code.timed ? static_cast<double>(line.cost.latency)
                    : static_cast<double>(line.samples.count());
}

std::string what_was_traced(const att::ThreadTrace& trace, const att::Summary& summary) {
  if (!trace.code.timed) return "PC samples, recorded; shares of all samples of the kernel";
  const std::string waves = summary.waves > 0 ? fmt::format(" of {} waves", summary.waves) : "";
  return fmt::format(
      "a thread trace{}, {}; shares of the cycles in which its waves had an instruction before "
      "them",
      waves, trace.modelled ? "modelled" : "recorded");
}

}  // namespace

std::vector<llm::PromptFact> hot_lines(const att::ThreadTrace& trace, std::string_view source,
                                       std::string_view file, std::size_t most) {
  const std::vector<att::LineCost> lines = att::lines_of(trace.code, att::Inlining::caller);
  const double whole = std::accumulate(
      lines.begin(), lines.end(), 0.0,
      [&](double sum, const att::LineCost& line) { return sum + weight(trace.code, line); });
  const std::vector<std::string_view> now = trimmed_lines(source);
  std::map<std::string, std::string> copies;
  std::vector<llm::PromptFact> out;
  for (const att::LineCost& line : lines) {
    constexpr double kLeast = 0.01;
    if (out.size() == most || whole <= 0 || weight(trace.code, line) < kLeast * whole) break;
    if (line.place.line < 1 || att::file_name_of(line.place.file) != att::file_name_of(file))
      continue;
    const auto [copy, fresh] = copies.try_emplace(line.place.file);
    if (fresh) copy->second = trace.source_text(line.place.file).value_or("");
    const std::vector<std::string_view> then = trimmed_lines(copy->second);
    const auto was = static_cast<std::size_t>(line.place.line);
    const std::size_t at = was <= then.size() ? line_now(now, then[was - 1], was) : 0;
    if (at == 0) continue;
    out.push_back(
        {fmt::format("line {}, `{}`", at, now[at - 1]),
         fmt::format("{:.0f} %{}", kPerCent * weight(trace.code, line) / whole,
                     stalls_text(classes_of(trace.code, line), weight(trace.code, line)))});
  }
  if (!out.empty()) out.insert(out.begin(), {"by", what_was_traced(trace, att::summarise(trace))});
  return out;
}

}  // namespace rpl
