// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rpl::testing_support {

/// What a person sees: the part of a VT100 that readline, pagers, progress lines and curses use. Every character is one cell wide.
class Screen {
 public:
  Screen(int columns, int rows);

  /// Takes raw terminal output, in pieces cut anywhere.
  void feed(std::string_view bytes);
  /// Keeps the text that still fits, without reflowing it.
  void resize(int columns, int rows);

  /// The lines from the top, without trailing blanks.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// The lines joined by newlines, without empty ones at the end.
  [[nodiscard]] std::string text() const;
  /// The line that the cursor is in.
  [[nodiscard]] std::string current_line() const;
  [[nodiscard]] int cursor_column() const { return column_; }

  /// Everything printed since the start, without escape sequences and carriage returns. Only grows.
  [[nodiscard]] const std::string& plain() const { return plain_; }

 private:
  using Line = std::vector<std::string>;  ///< one UTF-8 character a cell

  void take(char byte);
  void take_escape(char byte);
  void control(char byte);
  void put(const std::string& character);
  void run_sequence(char command);
  void move(char command, int count);
  void erase_line(int mode);
  void erase_screen(int mode);
  void change_cells(char command, int count);
  void line_feed();
  void reverse_line_feed();
  void delete_lines(int from, int count);
  void insert_lines(int from, int count);
  [[nodiscard]] int argument(std::size_t index, int fallback) const;
  [[nodiscard]] Line& line() { return cells_[static_cast<std::size_t>(row_)]; }
  [[nodiscard]] Line::iterator cell() { return line().begin() + column_; }

  int columns_;
  int rows_;
  int row_ = 0;
  int top_ = 0, bottom_ = 0;  ///< of the region that scrolls; bottom 0: the last row
  int column_ = 0;
  bool wrap_pending_ =
      false;  ///< the last column was written; the next character goes to the next line
  std::vector<Line> cells_;
  enum class State { text, escape, sequence, string, charset } state_ = State::text;
  std::string sequence_;
  std::string character_;  ///< an unfinished UTF-8 character
  std::string last_;       ///< the last that was put, which may be repeated
  std::string plain_;
};

}  // namespace rpl::testing_support
