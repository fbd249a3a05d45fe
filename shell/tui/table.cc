// SPDX-License-Identifier: MIT
#include "shell/tui/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/elide_apart.h"
#include "engine/base/text.h"
#include "shell/render/forms.h"

namespace rpl::tui {
namespace {

constexpr std::uint64_t kMostRows = 2000;
constexpr int kWidest = 44;

std::string padded(const std::string& shown, int width, bool right) {
  const auto left =
      static_cast<std::size_t>(std::max(width - static_cast<int>(display_width(shown)), 0));
  return right ? std::string(left, ' ') + shown : shown + std::string(left, ' ');
}

std::vector<std::string> ids_of(const Document& document) {
  std::vector<std::string> out;
  const auto column = std::ranges::find_if(
      document.columns, [](const rpl::Column& one) { return one.type == Type::id; });
  if (column == document.columns.end()) return out;
  const auto at = static_cast<std::size_t>(column - document.columns.begin());
  static_cast<void>(document.each_row([&](const Row& row) {
    const auto* text = row[at].as<std::string>();
    out.push_back(text == nullptr ? "" : *text);
    return out.size() < kMostRows;
  }));
  return out;
}

}  // namespace

void Table::set(const Result<Document>& document) {
  const std::string before = chosen();
  columns_.clear();
  rows_.clear();
  ids_.clear();
  said_.clear();
  const Result<Grid> grid = document ? grid_of(*document, kMostRows) : Failure(document.error());
  if (!grid) {
    const Error& error = grid.error();
    said_ = error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint);
    return;
  }
  ids_ = ids_of(*document);
  for (const GridColumn& column : grid->columns)
    columns_.push_back(
        {column.heading, column.right, static_cast<int>(display_width(column.heading))});
  for (const auto& row : grid->rows) {
    auto& cells = rows_.emplace_back();
    for (std::size_t i = 0; i < row.size() && i < columns_.size(); ++i) {
      cells.push_back(row[i].text);
      columns_[i].width = std::max(columns_[i].width, static_cast<int>(display_width(row[i].text)));
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) cut_apart(i);
  if (rows_.empty()) said_ = document->notes.empty() ? "no rows" : document->notes.front();
  const auto same = std::ranges::find(ids_, before);
  at_ = same == ids_.end() || before.empty()
            ? std::clamp(at_, 0, std::max(static_cast<int>(rows_.size()) - 1, 0))
            : static_cast<int>(same - ids_.begin());
}

/// Names that would look the same are cut elsewhere.
void Table::cut_apart(std::size_t column) {
  if (columns_[column].width <= kWidest) return;
  std::vector<std::string> texts;
  for (const auto& row : rows_) texts.push_back(column < row.size() ? row[column] : std::string());
  std::vector<std::string> shown = elide_apart(texts, kWidest);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (column < rows_[i].size()) rows_[i][column] = std::move(shown[i]);
  }
  columns_[column].width = kWidest;
}

void Table::draw(ScreenCells& canvas, Area area) {
  if (!said_.empty()) return canvas.line(area, 0, said_, Style::dim);
  std::vector<int> widths;
  int used = 2;
  for (const Column& column : columns_) {
    const int width = column.width;
    if (used + width > area.columns) break;
    widths.push_back(width);
    used += width + 2;
  }
  const auto text_of = [&](const auto& cell_of) {
    std::string out;
    for (std::size_t i = 0; i < widths.size(); ++i)
      out += (i == 0 ? "" : "  ") + padded(cell_of(i), widths[i], columns_[i].right);
    return out;
  };
  canvas.line(area, 0, "  " + text_of([&](std::size_t i) { return columns_[i].heading; }),
              Style::dim);
  page_ = std::max(area.rows - 1, 1);
  if (at_ < first_) first_ = at_;
  if (at_ >= first_ + page_) first_ = at_ - page_ + 1;
  for (int i = 0; i < page_ && first_ + i < static_cast<int>(rows_.size()); ++i) {
    const auto& row = rows_[static_cast<std::size_t>(first_ + i)];
    const bool is_chosen = first_ + i == at_;
    canvas.line(area, i + 1, (is_chosen ? "> " : "  ") + text_of([&](std::size_t c) {
                               return c < row.size() ? row[c] : std::string();
                             }),
                is_chosen ? Style::chosen : Style::plain);
  }
}

bool Table::press(const Press& press) {
  const int last = std::max(static_cast<int>(rows_.size()) - 1, 0);
  switch (press.key) {
    case Key::up:
      at_ = std::max(at_ - 1, 0);
      return true;
    case Key::down:
      at_ = std::min(at_ + 1, last);
      return true;
    case Key::home:
      at_ = 0;
      return true;
    case Key::end:
      at_ = last;
      return true;
    default:
      return false;
  }
}

std::string Table::chosen() const {
  const auto at = static_cast<std::size_t>(at_);
  return at < ids_.size() ? ids_[at] : std::string();
}

}  // namespace rpl::tui
