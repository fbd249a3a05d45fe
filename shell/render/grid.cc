// SPDX-License-Identifier: MIT
#include "shell/render/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/elide_apart.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

/// Longer names push the numbers of a table out of sight.
constexpr std::size_t kNameWidth = 40;

/// Of the unit of a column: what is less would have one digit.
constexpr double kSmallestShown = 0.01;

struct GridSource {
  std::size_t index = 0;
  Scale scale;
};

bool holds_numbers(const Column& column, const std::vector<Row>& rows, std::size_t index) {
  if (column.type == Type::integer || column.type == Type::number) return true;
  return column.type == Type::any &&
         std::ranges::all_of(rows, [&](const Row& row) { return is_numeric(row[index]); });
}

std::vector<GridSource> grid_sources(const Document& document, const std::vector<Row>& rows,
                                     ForWhom whom) {
  std::vector<GridSource> sources;
  for (std::size_t i = 0; i < document.columns.size(); ++i) {
    if (document.columns[i].in_text == InText::never) continue;
    double largest = 0, least = HUGE_VAL;
    for (const Row& row : rows) {
      const double size = std::abs(row[i].number().value_or(0));
      largest = std::max(largest, size);
      if (size > 0) least = std::min(least, size);
    }
    Scale scale = scale_for(document.columns[i].unit, largest, whom);
    // Seconds that leave "0.003" of most rows say less than "3.274 ms".
    if (least < kSmallestShown * scale.divisor)
      scale = scale_for(document.columns[i].unit, largest);
    sources.push_back({i, scale});
  }
  return sources;
}

GridCell grid_cell(const Value& value, const Column& column, const Scale& scale) {
  GridCell cell;
  cell.text = cell_text(value, column, scale);
  if (column.type == Type::kernel) {
    std::string name = elide_middle(short_kernel(cell.text), kNameWidth);
    if (name != cell.text) cell.whole = std::exchange(cell.text, std::move(name));
  }
  const double number = value.number().value_or(-1);
  if (column.unit == Unit::share && number >= 0 && std::isfinite(number)) cell.share = number;
  return cell;
}

/// Names that would be cut to the same text are cut elsewhere.
void tell_apart(Grid& grid, std::size_t column) {
  std::vector<std::string> names;
  for (const auto& row : grid.rows) {
    const GridCell& cell = row[column];
    names.push_back(cell.whole.empty() ? cell.text : short_kernel(cell.whole));
  }
  std::vector<std::string> shown = elide_apart(names, kNameWidth);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    GridCell& cell = grid.rows[i][column];
    if (!cell.whole.empty()) cell.text = std::move(shown[i]);
  }
}

using Member = Record::value_type;

/// The key's words are the heading; a key of the inner record carries its unit in its name already.
Grid nested_grid(const Record& record, const Record& first) {
  Grid grid;
  grid.columns.push_back({"", "", false});
  for (const auto& [name, value] : first) grid.columns.push_back({name_in_words(name), "", true});
  for (const auto& [key, held] : record) {
    auto& cells = grid.rows.emplace_back();
    cells.push_back({key, "", std::nullopt});
    for (const auto& [name, value] : *held.as<Record>()) {
      const auto* whole = value.as<std::int64_t>();
      const bool percent = std::string_view(name).ends_with("_pct") && value.number();
      cells.push_back({percent            ? fmt::format("{:.2f}", *value.number())
                       : whole != nullptr ? grouped(*whole)
                                          : with_unit(value, Unit::none),
                       "", std::nullopt});
    }
  }
  return grid;
}

}  // namespace

std::optional<Grid> grid_of_record(const Value& value) {
  const auto* record = value.as<Record>();
  if (record == nullptr || record->empty()) return std::nullopt;
  const auto* first = record->front().second.as<Record>();
  if (first == nullptr) return std::nullopt;
  for (const auto& [key, held] : *record) {
    const auto* inner = held.as<Record>();
    if (inner == nullptr ||
        !std::ranges::equal(*inner, *first, {}, &Member::first, &Member::first)) {
      return std::nullopt;
    }
  }
  return nested_grid(*record, *first);
}

std::optional<Grid> grid_of_list(const Column& column, const Value& value) {
  const auto* list = value.as<List>();
  if (list == nullptr || list->empty() || column.nested == nullptr) return std::nullopt;
  Document document;
  document.columns = described(column.nested());
  for (const Value& one : *list) {
    const auto* record = one.as<Record>();
    if (record == nullptr) return std::nullopt;
    Row& row = document.rows.emplace_back();
    for (const Column& member : document.columns) {
      const auto found = std::ranges::find(*record, std::string_view(member.name), &Member::first);
      row.push_back(found == record->end() ? Value() : found->second);
    }
  }
  // Columns that no record fills say nothing.
  for (std::size_t at = document.columns.size(); at-- > 0;) {
    if (!std::ranges::all_of(document.rows, [&](const Row& row) { return row[at].is_null(); }))
      continue;
    document.columns.erase(document.columns.begin() + static_cast<std::ptrdiff_t>(at));
    for (Row& row : document.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(at));
  }
  auto grid = grid_of(document, 0, ForWhom::reader);
  if (!grid) return std::nullopt;
  return std::move(*grid);
}

Result<Grid> grid_of(const Document& document, std::uint64_t limit, ForWhom whom) {
  Grid grid;
  if (!document.has_table()) return grid;
  std::vector<Row> rows;
  Form form;
  if (limit > 0) form.limit = limit;
  const Shown shown = TRY(each_shown_row(document, form, [&](const Row& row) -> Status {
    rows.push_back(row);
    return {};
  }));
  if (shown.more) grid.left_out = count_text(document, shown);
  const std::vector<GridSource> sources = grid_sources(document, rows, whom);
  for (const auto& [index, scale] : sources) {
    const Column& column = document.columns[index];
    grid.columns.push_back(
        {whom == ForWhom::reader ? reader_heading(column, scale) : heading(column, scale),
         column.description, holds_numbers(column, rows, index), column.type == Type::id,
         column.type == Type::kernel});
  }
  for (const Row& row : rows) {
    auto& cells = grid.rows.emplace_back();
    for (const auto& [index, scale] : sources) {
      cells.push_back(grid_cell(row[index], document.columns[index], scale));
    }
  }
  for (std::size_t at = 0; at < sources.size(); ++at) {
    const std::size_t index = sources[at].index;
    if (document.columns[index].type == Type::kernel) tell_apart(grid, at);
    // Where one is more than the whole, bars are measured by the largest.
    double largest = 1;
    for (const auto& cells : grid.rows) largest = std::max(largest, cells[at].share.value_or(0));
    for (auto& cells : grid.rows) {
      if (cells[at].share) *cells[at].share /= largest;
    }
  }
  return grid;
}

}  // namespace rpl
