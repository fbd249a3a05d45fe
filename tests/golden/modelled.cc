// SPDX-License-Identifier: MIT
#include "tests/golden/modelled.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace rpl::golden {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> cells;
  for (std::string cell; in >> cell;) cells.push_back(cell);
  return cells;
}

std::string without(std::string text, std::string_view characters) {
  std::erase_if(text, [&](char c) { return characters.find(c) != std::string_view::npos; });
  return text;
}

bool is_unit(const std::string& word) {
  static constexpr std::array<std::string_view, 10> kUnits{
      "ns", "us", "ms", "cycles", "x", "GB/s", "TB/s", "GFLOP/s", "TFLOP/s", "times"};
  return std::find(kUnits.begin(), kUnits.end(), without(word, ",;:()")) != kUnits.end();
}

std::optional<double> number(const std::string& cell) {
  const std::string text = without(cell, ",()");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool close(double a, double b) {
  return std::abs(a - b) <= kModelledTolerance * std::max(std::abs(a), std::abs(b));
}

/// Whether the cell is what a unit, or a key in front of it, makes a modelled number.
bool is_modelled(const std::vector<std::string>& cells, std::size_t i) {
  // "21 x" and "1024 x 1 x 1" are counts, "1.221 x" is a ratio.
  if (i + 1 < cells.size() && is_unit(cells[i + 1]))
    return (cells[i + 1] != "x" && cells[i + 1] != "times") ||
           cells[i].find('.') != std::string::npos;
  // "98233 -> 80464 cycles"
  if (i + 3 < cells.size() && cells[i + 1] == "->" && is_unit(cells[i + 3])) return true;
  if (i == 0) return false;
  const std::string key = without(cells[i - 1], "{[");
  static constexpr std::array<std::string_view, 6> kKeys{
      "_ns\":", "_us\":", "_ms\":", "cycles\":", "ratio\":", "speedup\":"};
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](std::string_view end) { return key.ends_with(end); });
}

/// How many inputs were tried: what is drawn decides which further ones are needed.
bool counts_inputs(const std::vector<std::string>& cells, std::size_t i) {
  const bool said = i + 2 < cells.size() && cells[i + 1] == "input" &&
                    without(cells[i + 2], ",;:()|\"") == "sets";
  return said || (i > 0 && cells[i - 1].ends_with("input_sets\":"));
}

/// The cells of a table's line, which two blanks or more part.
std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  for (std::size_t at = line.find_first_not_of(' '); at < line.size();
       at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = end;
  }
  return columns;
}

/// Whether a column's heading ends in a unit: "baseline us".
bool names_unit(const std::string& heading) {
  const std::size_t blank = heading.rfind(' ');
  return blank != std::string::npos && is_unit(heading.substr(blank + 1));
}

/// Whether two rows of a table differ in columns alone whose heading has a unit.
bool is_close_row(const std::string& heading, const std::string& expected,
                  const std::string& actual) {
  const auto columns = columns_of(heading), before = columns_of(expected), now = columns_of(actual);
  if (columns.size() < 2 || before.size() != columns.size() || now.size() != columns.size())
    return false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (before[i] == now[i]) continue;
    const auto a = number(before[i]), b = number(now[i]);
    if (!a || !b || !names_unit(columns[i]) || !close(*a, *b)) return false;
  }
  return true;
}

/// How much of a gain is left on other inputs depends on what is drawn.
std::string without_elsewhere(std::string line) {
  constexpr std::string_view kSame = "on other inputs, too";
  for (const std::string_view how : {": less with ", ": slower with "}) {
    for (const std::string_view input :
         {"inputs drawn again", "other scalar arguments", "another launch"}) {
      const std::string said = std::string(how) + std::string(input);
      if (const auto at = line.find(said); at != std::string::npos)
        line.replace(at + 2, said.size() - 2, kSame);
    }
  }
  return line;
}

bool is_close(const std::string& expected, const std::string& actual) {
  const auto before = cells_of(without_elsewhere(expected)),
             now = cells_of(without_elsewhere(actual));
  if (before.size() != now.size()) return false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == now[i]) continue;
    const auto a = number(before[i]), b = number(now[i]);
    if (a && b && *a > 1 && *b > 1 && counts_inputs(before, i) && counts_inputs(now, i)) continue;
    if (!a || !b || !is_modelled(before, i) || !is_modelled(now, i) || !close(*a, *b)) return false;
  }
  return true;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

bool shows_modelled_numbers(const Transcript& transcript) {
  return std::any_of(transcript.steps.begin(), transcript.steps.end(), [](const Step& step) {
    return std::find(step.comments.begin(), step.comments.end(), "# modelled") !=
           step.comments.end();
  });
}

std::string with_expected_where_close(const std::string& expected, const std::string& actual) {
  const auto before = lines_of(expected), now = lines_of(actual);
  if (before.size() != now.size()) return actual;
  std::string result, heading;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool same = is_close(before[i], now[i]) || is_close_row(heading, before[i], now[i]);
    result += (same ? before[i] : now[i]) + "\n";
    const auto columns = columns_of(before[i]);
    if (before[i].empty()) heading.clear();
    if (std::any_of(columns.begin(), columns.end(), names_unit) && columns_of(now[i]) == columns &&
        std::none_of(columns.begin(), columns.end(),
                     [](const std::string& cell) { return number(cell).has_value(); }))
      heading = before[i];
  }
  return result;
}

}  // namespace rpl::golden
