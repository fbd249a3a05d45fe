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
  const char* class_end(const char* pattern) const;
  static bool matches_class(int c, int cls);
  static bool in_set(int c, const char* set, const char* end);
  [[nodiscard]] bool single(const char* text, const char* pattern, const char* end) const;
  const char* balanced(const char* text, const char* pattern) const;
  const char* longest(const char* text, const char* pattern, const char* end);
  const char* shortest(const char* text, const char* pattern, const char* end);
  const char* open(const char* text, const char* pattern, std::ptrdiff_t what);
  const char* close(const char* text, const char* pattern);
  const char* back_reference(const char* text, int digit) const;
  [[nodiscard]] bool at_frontier(const char* text, const char* set, const char* end) const;
  void step();

  lua_State* thread_;
  std::string_view text_, pattern_;
  std::array<Capture, kMostCaptures> capture_{};
  int level_ = 0;
  int depth_ = 0;
  std::uint64_t steps_ = 0;
};

/// Replaces find, match, gmatch, gsub and rep in the string library, and move in the table library, by versions that can be stopped. The table of globals
/// is on top of the stack.
void make_long_functions_stoppable(lua_State* thread);

}  // namespace rpl
