// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr std::size_t kRows = 8, kLabel = 11;

/// What stands for the signs of the grid, and its axes.
struct Marks {
  std::string_view best, other, both, side, tick, corner, floor;
};

Marks marks_for(bool unicode) {
  if (unicode) return {"━", "·", "┿", "│", "┤", "└", "─"};
  return {"#", ".", "*", "|", "|", "+", "-"};
}

std::string with_marks(const std::string& cells, const Marks& marks) {
  std::string out;
  for (const char cell : cells) {
    out += cell == '#'   ? marks.best
           : cell == '.' ? marks.other
           : cell == '*' ? marks.both
                         : std::string_view(" ");
  }
  return out;
}

class Grid {
 public:
  Grid(std::size_t columns, double low, double high, std::size_t evaluations)
      : columns_(columns),
        evaluations_(evaluations),
        low_(std::log(low)),
        high_(std::log(high)),
        cells_(kRows, std::string(columns, ' ')) {}

  void draw(const std::vector<double>& best, char mark) {
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::size_t last = (column + 1) * evaluations_ / columns_;
      const std::size_t at = last == 0 ? 0 : last - 1;
      if (at >= best.size() || best[at] <= 0) continue;
      char& cell = cells_[row_of(best[at])][column];
      cell = cell == ' ' || cell == mark ? mark : '*';
    }
  }
  [[nodiscard]] const std::string& row(std::size_t i) const { return cells_[i]; }
  [[nodiscard]] double value_at(std::size_t row) const {
    return std::exp(high_ - (high_ - low_) * static_cast<double>(row) / (kRows - 1));
  }

 private:
  [[nodiscard]] std::size_t row_of(double value) const {
    if (high_ <= low_) return kRows - 1;
    const double share = std::clamp((high_ - std::log(value)) / (high_ - low_), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * (kRows - 1)));
  }

  std::size_t columns_, evaluations_;
  double low_, high_;
  std::vector<std::string> cells_;
};

}  // namespace

std::string convergence_text(const ConvergenceDrawing& drawing, const Canvas& canvas) {
  const std::size_t evaluations = std::max(drawing.best_ns.size(), drawing.other_ns.size());
  double low = 0, high = 0;
  for (const auto* series : {&drawing.best_ns, &drawing.other_ns}) {
    for (const double value : *series) {
      if (value <= 0) continue;
      low = low == 0 ? value : std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (evaluations < 2 || low <= 0) return {};
  constexpr std::size_t kNarrowest = 20;
  const std::size_t columns = std::min(std::max(canvas.width, kLabel + kNarrowest) - kLabel - 1,
                                       std::max<std::size_t>(evaluations, kNarrowest));
  Grid grid(columns, low, high, evaluations);
  grid.draw(drawing.other_ns, '.');
  grid.draw(drawing.best_ns, '#');
  const Marks marks = marks_for(canvas.unicode);
  std::string out;
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool named = row == 0 || row == kRows - 1;
    std::string cells = grid.row(row);
    cells.resize(cells.find_last_not_of(' ') + 1);
    out += fmt::format("{:>{}} {}{}\n", named ? format_ns(grid.value_at(row)) : "", kLabel - 2,
                       named ? marks.tick : marks.side, with_marks(cells, marks));
  }
  out += std::string(kLabel - 1, ' ') + std::string(marks.corner);
  for (std::size_t i = 0; i < columns; ++i) out += marks.floor;
  out += '\n';
  const std::string end = fmt::format("{} evaluations", evaluations);
  out += fmt::format("{:<{}}1{:>{}}\n", "", kLabel, end,
                     columns > end.size() ? columns - 1 : end.size() + 1);
  out += fmt::format("{:<{}}{}: best so far, {}", "", kLabel, marks.best, drawing.name);
  if (!drawing.other_ns.empty())
    out += fmt::format("; {}: {}; {}: both", marks.other, drawing.other_name, marks.both);
  return out + "\n";
}

}  // namespace rpl
