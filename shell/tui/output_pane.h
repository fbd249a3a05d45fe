// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "shell/tui/canvas.h"

namespace rpl::tui {

/// What commands said. While a line runs, the end of it is seen; then the last answer from its beginning, one that was told in notes as it went on from its end, unless it is scrolled.
class OutputPane {
 public:
  void add(std::string_view text);
  /// Towards the beginning, or towards the end for less than 0.
  void scroll(int lines) { back_ += lines; }
  [[nodiscard]] bool empty() const { return lines_.empty() && partial_.empty(); }
  /// Until something is said again.
  void hide();
  /// What is said from now on is an answer of its own.
  void begin_answer();
  /// How many rows the last answer takes where there are so many columns.
  [[nodiscard]] int answer_lines(int columns) const;
  /// Whether the last answer says where a kernel stopped.
  [[nodiscard]] bool is_stop() const;
  void draw(ScreenCells& canvas, const Area& area, bool running);

 private:
  /// Rows of the lines from one on, broken between words.
  [[nodiscard]] std::vector<std::string> rows_from(std::size_t first, int columns) const;

  std::deque<std::string> lines_;
  std::string partial_;
  int back_ = 0;
  std::size_t answer_from_ = 0;
};

}  // namespace rpl::tui
