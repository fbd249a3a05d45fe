// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string_view>

namespace rpl {

/// Lua's patterns (Lua 5.4 reference manual, 6.4.1), matched in steps that are counted: a pattern that backtracks for long can be stopped, and ends by itself
/// after kMostSteps. Lua's own matcher runs to its end, which can be years away.
class Pattern {
 public:
  static constexpr std::uint64_t kMostSteps = 2'000'000'000;
  static constexpr int kMostCaptures = 32;

  /// Both texts must outlive this. Errors of the pattern are Lua errors in `thread`.
  Pattern(lua_State* thread, std::string_view text, std::string_view pattern);

  /// Matches at `from`, a place in the text; where it ends, or null.
  const char* match(const char* from);
  /// Pushes the captures of the last match, or all of it where there is none and `whole`; how many.
  int push_captures(const char* begin, const char* end, bool whole) const;
  /// Pushes one capture; 0 is the first, or the whole match where there is none.
  void push_capture(int index, const char* begin, const char* end) const;
  [[nodiscard]] int captures() const { return level_; }
  /// So many bytes were made of a match: they count as steps do.
  void took(std::size_t bytes) { step(bytes / kBytesOfAStep + 1); }

 private:
  struct Capture {
    const char* begin = nullptr;
    std::ptrdiff_t length = 0;  ///< or one of the two below
  };
  static constexpr std::ptrdiff_t kOpen = -1, kPosition = -2;

  const char* match(const char* text, const char* pattern);
  /// What one item of the pattern is followed by.
  const char* match_item(const char* text, const char* pattern, const char* end, bool& done,
                         const char*& next_text, const char*& next_pattern);
  const char* class_end(const char* pattern);
  static bool matches_class(int c, int cls);
  static bool in_set(int c, const char* set, const char* end);
  [[nodiscard]] bool single(const char* text, const char* pattern, const char* end);
  const char* balanced(const char* text, const char* pattern);
  const char* longest(const char* text, const char* pattern, const char* end);
  const char* shortest(const char* text, const char* pattern, const char* end);
  const char* open(const char* text, const char* pattern, std::ptrdiff_t what);
  const char* close(const char* text, const char* pattern);
  const char* back_reference(const char* text, int digit);
  [[nodiscard]] bool at_frontier(const char* text, const char* set, const char* end);
  void step(std::size_t steps = 1);
  static constexpr std::size_t kBytesOfAStep = 16;

  lua_State* thread_;
  std::string_view text_, pattern_;
  std::array<Capture, kMostCaptures> capture_{};
  int level_ = 0;
  int depth_ = 0;
  std::uint64_t steps_ = 0, look_at_ = 0;
};

/// The text that an argument is; raises where it is none.
std::string_view text_at(lua_State* thread, int index);

/// Sets find, match, gmatch and gsub of the string library, which is on top of the stack.
void add_pattern_functions(lua_State* thread);

}  // namespace rpl
