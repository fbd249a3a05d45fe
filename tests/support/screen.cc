// SPDX-License-Identifier: MIT
#include "tests/support/screen.h"

#include <algorithm>
#include <cstdlib>

namespace rpl::testing_support {
namespace {

constexpr char kEscape = '\033';
constexpr char kBell = '\a';
constexpr int kTab = 8;
const std::string kBlank = " ";

std::size_t length_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0xF0) return 4;
  if (byte >= 0xE0) return 3;
  return byte >= 0xC0 ? 2 : 1;
}

std::string joined(const std::vector<std::string>& cells) {
  std::string result;
  for (const std::string& cell : cells) result += cell;
  result.erase(result.find_last_not_of(' ') + 1);
  return result;
}

std::vector<std::string> blank(int columns) {
  return std::vector<std::string>(static_cast<std::size_t>(columns), " ");
}

}  // namespace

Screen::Screen(int columns, int rows)
    : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(rows), blank(columns)) {}

void Screen::feed(std::string_view bytes) {
  for (const char byte : bytes) take(byte);
}

void Screen::resize(int columns, int rows) {
  top_ = bottom_ = 0;
  for (; row_ >= rows; --row_) cells_.erase(cells_.begin());
  columns_ = columns;
  rows_ = rows;
  column_ = std::min(column_, columns - 1);
  cells_.resize(static_cast<std::size_t>(rows), blank(columns));
  for (Line& cells : cells_) cells.resize(static_cast<std::size_t>(columns), " ");
}

std::vector<std::string> Screen::lines() const {
  std::vector<std::string> result;
  for (const Line& cells : cells_) result.push_back(joined(cells));
  return result;
}

std::string Screen::text() const {
  std::string result;
  for (const std::string& text : lines()) result += text + "\n";
  result.erase(result.find_last_not_of('\n') + 1);
  return result;
}

std::string Screen::current_line() const { return joined(cells_[static_cast<std::size_t>(row_)]); }

void Screen::take(char byte) {
  if (state_ != State::text) return take_escape(byte);
  if (byte == kEscape) {
    state_ = State::escape;
  } else if (static_cast<unsigned char>(byte) < ' ') {
    control(byte);
  } else {
    character_ += byte;
    if (character_.size() < length_of(character_[0])) return;
    put(character_);
    character_.clear();
  }
}

void Screen::take_escape(char byte) {
  switch (state_) {
    case State::escape:
      sequence_.clear();
      if (byte == 'M') reverse_line_feed();
      state_ = byte == '['                  ? State::sequence
               : byte == ']'                ? State::string
               : byte == '(' || byte == ')' ? State::charset
                                            : State::text;
      return;
    case State::charset:  // its one letter
      state_ = State::text;
      return;
    case State::sequence:
      if (byte >= '@' && byte <= '~') {
        state_ = State::text;
        run_sequence(byte);
      } else {
        sequence_ += byte;
      }
      return;
    case State::string:
      if (byte == kBell) state_ = State::text;
      if (byte == kEscape) state_ = State::escape;  // the terminator is ESC and a backslash
      return;
    case State::text:
      return;
  }
}

void Screen::control(char byte) {
  if (byte != '\r' && byte != kBell) plain_ += byte;
  wrap_pending_ = false;
  if (byte == '\n') line_feed();
  if (byte == '\r') column_ = 0;
  if (byte == '\b') column_ = std::max(column_ - 1, 0);
  if (byte == '\t') column_ = std::min((column_ / kTab + 1) * kTab, columns_ - 1);
}

void Screen::put(const std::string& character) {
  last_ = character;
  plain_ += character;
  if (wrap_pending_) {
    column_ = 0;
    line_feed();
  }
  *cell() = character;
  wrap_pending_ = column_ == columns_ - 1;
  if (!wrap_pending_) ++column_;
}

void Screen::line_feed() {
  const int bottom = bottom_ == 0 ? rows_ - 1 : std::min(bottom_, rows_ - 1);
  if (row_ != bottom) {
    row_ = std::min(row_ + 1, rows_ - 1);
    return;
  }
  const int top = std::min(top_, bottom);
  cells_.erase(cells_.begin() + top);
  cells_.insert(cells_.begin() + bottom, blank(columns_));
}

void Screen::reverse_line_feed() {
  if (row_ != top_) {
    row_ = std::max(row_ - 1, 0);
    return;
  }
  const int bottom = bottom_ == 0 ? rows_ - 1 : std::min(bottom_, rows_ - 1);
  cells_.erase(cells_.begin() + bottom);
  cells_.insert(cells_.begin() + top_, blank(columns_));
}

int Screen::argument(std::size_t index, int fallback) const {
  std::size_t start = 0;
  for (; index > 0; --index) {
    start = sequence_.find(';', start);
    if (start == std::string::npos) return fallback;
    ++start;
  }
  const int value = std::atoi(sequence_.c_str() + start);
  return value == 0 ? fallback : value;
}

void Screen::run_sequence(char command) {
  wrap_pending_ = false;
  if (command == 'J') return erase_screen(argument(0, 0));
  if (command == 'K') return erase_line(argument(0, 0));
  if (command == 'P' || command == '@') return change_cells(command, argument(0, 1));
  if (command == 'r') {
    top_ = argument(0, 1) - 1;
    bottom_ = argument(1, rows_) - 1;
    row_ = column_ = 0;
    return;
  }
  if (command == 'S' || command == 'M')
    return delete_lines(command == 'S' ? top_ : row_, argument(0, 1));
  if (command == 'T' || command == 'L')
    return insert_lines(command == 'T' ? top_ : row_, argument(0, 1));
  if (command == 'X') {
    const auto last = std::min(column_ + argument(0, 1), columns_);
    std::fill(cell(), line().begin() + last, kBlank);
    return;
  }
  if (command == 'b') {
    const std::string again = last_;
    for (int count = argument(0, 1); count > 0; --count) put(again);
    return;
  }
  move(command, argument(0, 1));
}

/// Lines below `from` move up, or down, within the region that scrolls.
void Screen::delete_lines(int from, int count) {
  const int bottom = bottom_ == 0 ? rows_ - 1 : std::min(bottom_, rows_ - 1);
  for (; count > 0 && from <= bottom; --count) {
    cells_.erase(cells_.begin() + from);
    cells_.insert(cells_.begin() + bottom, blank(columns_));
  }
}

void Screen::insert_lines(int from, int count) {
  const int bottom = bottom_ == 0 ? rows_ - 1 : std::min(bottom_, rows_ - 1);
  for (; count > 0 && from <= bottom; --count) {
    cells_.erase(cells_.begin() + bottom);
    cells_.insert(cells_.begin() + from, blank(columns_));
  }
}

void Screen::move(char command, int count) {
  if (command == 'A') row_ -= count;
  if (command == 'B') row_ += count;
  if (command == 'C') column_ += count;
  if (command == 'D') column_ -= count;
  if (command == 'G') column_ = count - 1;
  if (command == 'd') row_ = count - 1;
  for (; command == 'Z' && count > 0; --count) column_ = std::max(0, (column_ - 1) / kTab * kTab);
  if (command == 'H') {
    row_ = count - 1;
    column_ = argument(1, 1) - 1;
  }
  row_ = std::clamp(row_, 0, rows_ - 1);
  column_ = std::clamp(column_, 0, columns_ - 1);
}

void Screen::erase_line(int mode) {
  const auto from = mode == 0 ? cell() : line().begin();
  const auto to = mode == 1 ? cell() + 1 : line().end();
  std::fill(from, to, kBlank);
}

void Screen::erase_screen(int mode) {
  if (mode == 0) {
    erase_line(0);
    std::fill(cells_.begin() + row_ + 1, cells_.end(), blank(columns_));
  } else if (mode == 1) {
    erase_line(1);
    std::fill(cells_.begin(), cells_.begin() + row_, blank(columns_));
  } else {
    std::fill(cells_.begin(), cells_.end(), blank(columns_));
  }
}

void Screen::change_cells(char command, int count) {
  count = std::min(count, columns_ - column_);
  if (command == 'P') {
    line().erase(cell(), cell() + count);
    line().insert(line().end(), static_cast<std::size_t>(count), " ");
  } else {
    line().insert(cell(), static_cast<std::size_t>(count), " ");
    line().resize(static_cast<std::size_t>(columns_));
  }
}

}  // namespace rpl::testing_support
