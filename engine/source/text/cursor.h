// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace rpl {

/// Walks over source text as translation phase 2 leaves it: a backslash at the end of a line joins the next one. Like g++
/// and clang it lets blanks stand behind the backslash. A carriage return ends a line, as it does for clang. Reading beyond the
/// end gives 0.
class SourceCursor {
 public:
  explicit SourceCursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {
    join();
  }

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] bool at_line_end() const { return peek() == '\n' || peek() == '\r'; }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }
  /// The character behind the current one.
  [[nodiscard]] char peek_next() const {
    const std::size_t at = joined_end(at_ + 1);
    return at < text_.size() ? text_[at] : '\0';
  }
  void advance() {
    step();
    join();
  }
  /// The next byte as it stands in the file: inside raw strings lines are not joined.
  void advance_raw() { step(); }
  void resume_joining() { join(); }

 private:
  void step() {
    if (done()) return;
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  /// Where the joined line ends that begin at `at` stop.
  [[nodiscard]] std::size_t joined_end(std::size_t at) const {
    while (at < text_.size() && text_[at] == '\\') {
      std::size_t end = at + 1;
      while (end < text_.size() &&
             std::string_view(" \t\v\f").find(text_[end]) != std::string_view::npos) {
        ++end;
      }
      if (end >= text_.size() || (text_[end] != '\n' && text_[end] != '\r')) break;
      const char other = text_[end] == '\n' ? '\r' : '\n';
      at = end + 1;
      if (at < text_.size() && text_[at] == other) ++at;
    }
    return at;
  }

  void join() {
    const std::size_t end = joined_end(at_);
    while (at_ < end) step();
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t line_ = 1;
};

}  // namespace rpl
