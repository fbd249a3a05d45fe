// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rpl {

/// Walks over one JSON value that is in memory as text, without copying and without recursion. After the first error everything
/// says that nothing more is there; failed() tells. Names, numbers and texts come as they are written.
class JsonCursor {
 public:
  /// Deeper nesting and longer strings are errors: no profiler writes them.
  static constexpr std::size_t kMostDepth = 256;
  static constexpr std::size_t kMostStringBytes = std::size_t{16} << 20;

  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  /// Enters an object or array.
  bool enter(char open);
  /// Moves to the next member and its key, without quotes and with escapes as they are; false after the last.
  bool next_member(std::string_view& key);
  /// Moves to the next element; false after the last.
  bool next_element();
  /// In a list without brackets: moves to the next element; false at the end of the text.
  bool next_in_list();
  /// The next value whole, with quotes or brackets.
  std::string_view value();
  /// The same; a string without its quotes. Numbers are sometimes written as strings.
  std::string_view token();

  [[nodiscard]] bool failed() const { return why_ != nullptr; }
  /// What was wrong, at which byte of the text.
  [[nodiscard]] const char* why() const { return why_; }
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  void skip_space();
  bool fail(const char* why);
  bool expect(char wanted);
  bool more(char close);
  bool pass_string();
  bool pass_value();

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* why_ = nullptr;
  bool first_ = true;
};

/// What stands between the quotes of a JSON string, without escapes. What is no character becomes '?'.
std::string unescaped(std::string_view inner);

}  // namespace rpl
