// SPDX-License-Identifier: MIT
#include "shell/tui/command_line.h"

#include <algorithm>

#include "engine/base/text.h"

namespace rpl::tui {

std::size_t CommandLine::before() const {
  std::size_t at = cursor_;
  if (at > 0) --at;
  while (at > 0 && (static_cast<unsigned char>(text_[at]) & 0xc0U) == 0x80U) --at;
  return at;
}

std::size_t CommandLine::behind() const {
  if (cursor_ >= text_.size()) return cursor_;
  return cursor_ + std::max<std::size_t>(utf8_length(text_, cursor_), 1);
}

void CommandLine::replace(std::size_t start, const std::string& text) {
  text_.replace(start, cursor_ - start, text);
  cursor_ = start + text.size();
}

std::string CommandLine::take() {
  if (!text_.empty() && (history_.empty() || history_.back() != text_)) history_.push_back(text_);
  std::string out = text_;
  clear();
  return out;
}

void CommandLine::clear() {
  text_.clear();
  cursor_ = back_ = 0;
}

void CommandLine::recall(int steps) {
  if (back_ == 0) kept_ = text_;
  const auto wanted = static_cast<std::int64_t>(back_) + steps;
  back_ = static_cast<std::size_t>(
      std::clamp<std::int64_t>(wanted, 0, static_cast<std::int64_t>(history_.size())));
  text_ = back_ == 0 ? kept_ : history_[history_.size() - back_];
  cursor_ = text_.size();
}

bool CommandLine::control(int letter) {
  switch (letter) {
    case 'a':
      cursor_ = 0;
      return true;
    case 'e':
      cursor_ = text_.size();
      return true;
    case 'b':
      cursor_ = before();
      return true;
    case 'f':
      cursor_ = behind();
      return true;
    case 'k':
      text_.resize(cursor_);
      return true;
    case 'u':
      replace(0, "");
      return true;
    case 'w': {
      const std::size_t word = text_.find_last_not_of(' ', cursor_ == 0 ? 0 : cursor_ - 1);
      const std::size_t blank =
          word == std::string::npos ? std::string::npos : text_.find_last_of(' ', word);
      replace(blank == std::string::npos ? 0 : blank + 1, "");
      return true;
    }
    case 'p':
      recall(1);
      return true;
    case 'n':
      recall(-1);
      return true;
    default:
      return false;
  }
}

bool CommandLine::press(const Press& press) {
  switch (press.key) {
    case Key::character:
      replace(cursor_, press.text);
      return true;
    case Key::control:
      return control(press.number);
    case Key::backspace:
      replace(before(), "");
      return true;
    case Key::remove:
      text_.erase(cursor_, behind() - cursor_);
      return true;
    case Key::left:
    case Key::right:
      if (empty()) return false;
      cursor_ = press.key == Key::left ? before() : behind();
      return true;
    case Key::home:
    case Key::end:
      if (empty()) return false;
      cursor_ = press.key == Key::home ? 0 : text_.size();
      return true;
    case Key::up:
    case Key::down:
      if (empty() && back_ == 0) return false;
      recall(press.key == Key::up ? 1 : -1);
      return true;
    case Key::escape:
      clear();
      return true;
    default:
      return false;
  }
}

int CommandLine::draw(ScreenCells& canvas, const Area& area, const std::string& prompt) const {
  const int room = std::max(area.columns - static_cast<int>(display_width(prompt)) - 1, 1);
  std::size_t from = 0;
  while (static_cast<int>(display_width(std::string_view(text_).substr(from, cursor_ - from))) >
         room)
    from += std::max<std::size_t>(utf8_length(text_, from), 1);
  canvas.line(area, 0, prompt + text_.substr(from));
  return area.column +
         static_cast<int>(display_width(prompt) +
                          display_width(std::string_view(text_).substr(from, cursor_ - from)));
}

}  // namespace rpl::tui
