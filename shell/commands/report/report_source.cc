// SPDX-License-Identifier: MIT
// Source lines beside what they cost.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/att/analyse/lines.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/report/report_parts.h"
#include "shell/commands/report/report_pictures.h"

namespace rpl {
namespace {

constexpr std::int64_t kContext = 4;  // lines
constexpr std::size_t kMostLines = 400;

struct Heat {
  double share_pct = 0, stalled_pct = 0;
  std::uint64_t hits = 0;
};

using FileHeat = std::map<std::int64_t, Heat>;

std::map<std::string, FileHeat> heat_by_file(const att::ThreadTrace& trace) {
  std::map<std::string, FileHeat> out;
  const HeatScale scale(trace.code);
  for (const att::LineCost& line : att::lines_of(trace.code, att::Inlining::leaf)) {
    if (line.place.file.empty() || line.place.line <= 0) continue;
    const double share = scale.share(line.cost, line.samples);
    if (share <= 0) continue;
    out[line.place.file][line.place.line] = {share, scale.stalled(line.cost, line.samples),
                                             line.cost.hits};
  }
  return out;
}

XmlText line_html(std::int64_t number, std::string_view text, const Heat* heat, double most) {
  constexpr double kWhole = 100;
  if (heat == nullptr)
    return encoded<XmlText>(
        "<tr><td class=\"n\">{}</td><td></td><td></td><td class=\"code\">{}</td></tr>\n", number,
        text);
  const double length = most > 0 ? kWhole * heat->share_pct / most : 0;
  return encoded<XmlText>(
      "<tr><td class=\"n\">{}</td><td class=\"n heat\" style=\"--bar:{:.1f}%\">{:.2f}</td><td "
      "class=\"n\">{:.0f}</td><td class=\"code\">{}</td></tr>\n",
      number, length, heat->share_pct, heat->stalled_pct, text);
}

XmlText file_html(const std::string& file, const FileHeat& heat,
                  const std::vector<std::string>& lines, bool samples, double most) {
  double share = 0;
  for (const auto& [number, one] : heat) share += one.share_pct;
  XmlText out = encoded<XmlText>(
      "<h3>{}: {:.1f} %</h3>\n<div class=\"scroll\"><table class=\"source\">\n<thead><tr><th "
      "class=\"n\">line</th><th class=\"n\">{} %</th><th class=\"n\">stalled %</th><th>source</th>"
      "</tr></thead><tbody>\n",
      att::file_name_of(file), share, samples ? OwnText("samples") : OwnText("cycles"));
  const auto last = static_cast<std::int64_t>(lines.size());
  std::int64_t shown_to = 0;
  std::size_t count = 0;
  for (std::int64_t number = 1; number <= last; ++number) {
    const auto near = heat.lower_bound(number - kContext);
    if (near == heat.end() || near->first > number + kContext) continue;
    if (++count > kMostLines) break;
    if (number > shown_to + 1)
      out += "<tr class=\"cut\"><td class=\"n\">⋮</td><td></td><td></td><td></td></tr>\n";
    shown_to = number;
    const auto found = heat.find(number);
    out += line_html(number, lines[static_cast<std::size_t>(number - 1)],
                     found == heat.end() ? nullptr : &found->second, most);
  }
  return out + "</tbody></table></div>\n";
}

/// A line of a run; without counts, where it has no code.
struct RunLine {
  std::int64_t number = 0;
  std::optional<double> executed, share;
  std::string cause, text;
};

std::vector<RunLine> lines_of_run(const Document& list) {
  std::vector<RunLine> out;
  const auto at = [&](const Row& row, std::string_view name) -> const Value& {
    static const Value kNone;
    const auto column = column_index(list, name);
    return column ? row[*column] : kNone;
  };
  const auto text = [](const Value& value) {
    const auto* held = value.as<std::string>();
    return held != nullptr ? *held : std::string();
  };
  static_cast<void>(list.each_row([&](const Row& row) {
    out.push_back({static_cast<std::int64_t>(at(row, "line").number().value_or(0)),
                   at(row, "executed").number(), at(row, "stall_share").number(),
                   text(at(row, "cause")), text(at(row, "text"))});
    return true;
  }));
  return out;
}

XmlText run_line_html(const RunLine& line, double most) {
  constexpr double kWhole = 100;
  XmlText out = encoded<XmlText>("<tr><td class=\"n\">{}</td>", line.number);
  if (!line.executed) {
    out += "<td></td><td></td>";
  } else {
    const double share = line.share.value_or(0);
    out.add("<td class=\"n\">{}</td><td class=\"n heat\" style=\"--bar:{:.1f}%\">{:.2f}</td>",
            format_count(static_cast<std::uint64_t>(*line.executed)),
            most > 0 ? kWhole * share / most : 0, kWhole * share);
  }
  out.add("<td class=\"id\">{}</td><td class=\"code\">{}</td></tr>\n", line.cause, line.text);
  return out;
}

}  // namespace

XmlText run_source_html(const Document& list) {
  const std::vector<RunLine> lines = lines_of_run(list);
  double most = 0;
  for (const RunLine& line : lines) most = std::max(most, line.share.value_or(0));
  const auto has_code = [&](std::size_t i) { return lines[i].executed.has_value(); };
  XmlText rows;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < lines.size() && shown < kMostLines; ++i) {
    bool near = false;
    const std::size_t first = i - std::min<std::size_t>(i, kContext);
    for (std::size_t k = first; k < std::min(lines.size(), i + kContext + 1); ++k)
      near = near || has_code(k);
    if (!near) continue;
    rows += run_line_html(lines[i], most);
    ++shown;
  }
  if (rows.empty()) return {};
  return encoded<XmlText>(
             "<section id=\"source-run\">\n<h2>Source of the last run</h2>\n<h3>{}</h3>\n<div "
             "class=\"scroll\"><table class=\"source\">\n<thead><tr><th class=\"n\">line</th><th "
             "class=\"n\">executed</th><th class=\"n\">waited for "
             "%</th><th>cause</th><th>source</th>"
             "</tr></thead><tbody>\n",
             std::string(att::file_name_of(text_in(list, "file")))) +
         rows +
         "</tbody></table></div>\n<p class=\"soft\">How often waves came to each line, and its "
         "share of "
         "all cycles that waves waited, modelled.</p>\n</section>\n";
}

XmlText source_html(const AttEntry& entry, const std::string& anchor) {
  const att::ThreadTrace& trace = *entry->value->trace;
  const auto heat = heat_by_file(trace);
  double most = 0;
  for (const auto& [file, lines] : heat) {
    for (const auto& [number, one] : lines) most = std::max(most, one.share_pct);
  }
  XmlText files;
  for (const auto& [file, lines] : heat) {
    const auto text = trace.source_text(file);
    if (!text) continue;
    files += file_html(file, lines, split_lines(*text), !trace.code.timed, most);
  }
  if (files.empty()) return {};
  return encoded<XmlText>("<section id=\"{}\">\n<h2>Source</h2>\n", anchor) + files +
         "<p class=\"soft\">Each line beside its share of all cycles or samples, and how much of "
         "it was "
         "stall; lines far from all that cost something are left out.</p>\n</section>\n";
}

}  // namespace rpl
