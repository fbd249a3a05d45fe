// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shell/tui/canvas.h"

namespace rpl::tui {

/// A line that is being typed, with the lines that were typed before.
class CommandLine {
 public:
  explicit CommandLine(std::vector<std::string> history) : history_(std::move(history)) {}

  /// Whether the key was its own. Up and down are, while something is typed or Ctrl-P was; Enter, Tab and what leaves the line are nobody's here.
  bool press(const Press& press);
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Bytes before the cursor.
  [[nodiscard]] std::size_t cursor() const { return cursor_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// What stands between a place and the cursor becomes this text.
  void replace(std::size_t start, const std::string& text);
  /// The line, which is then empty; it is the last of the history.
  std::string take();
  void clear();
  /// Draws the end of it that fits behind `prompt`; gives the cursor's column.
  int draw(ScreenCells& canvas, const Area& area, const std::string& prompt) const;

 private:
  bool control(int letter);
  void recall(int steps);
  [[nodiscard]] std::size_t before() const;
  [[nodiscard]] std::size_t behind() const;

  std::vector<std::string> history_;
  std::size_t back_ = 0;  ///< how many lines before the one being typed is shown; 0: that one
  std::string text_, kept_;
  std::size_t cursor_ = 0;
};

}  // namespace rpl::tui
