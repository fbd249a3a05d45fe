// SPDX-License-Identifier: MIT
#include "shell/lua/pattern.h"

#include <cctype>
#include <cstring>

#include "shell/lua/error_lua.h"
#include "shell/lua/interrupt.h"

namespace rpl {
namespace {

constexpr char kEscape = '%';
constexpr int kMostDepth = 200;
/// Between two looks at whether somebody wants it to stop.
constexpr std::uint64_t kStepsBetweenLooks = 1U << 14U;

int byte(const char* at) { return static_cast<unsigned char>(*at); }

}  // namespace

Pattern::Pattern(lua_State* thread, std::string_view text, std::string_view pattern)
    : thread_(thread), text_(text), pattern_(pattern) {}

void Pattern::step(std::size_t steps) {
  steps_ += steps;
  if (steps_ < look_at_) return;
  look_at_ = steps_ + kStepsBetweenLooks;
  raise_if_stopped(thread_);
  if (steps_ < kMostSteps) return;
  raise_error(thread_, {Errc::limit, "matching this pattern takes too many steps",
                        "several '*', '+' or '-' behind each other try all ways to share a text"});
}

const char* Pattern::match(const char* from) {
  level_ = 0;
  depth_ = 0;
  return match(from, pattern_.data());
}

const char* Pattern::class_end(const char* pattern) {
  const char* const end = pattern_.data() + pattern_.size();
  const char* const begin = pattern;
  const char c = *pattern++;
  if (c == kEscape) {
    if (pattern == end) luaL_error(thread_, "malformed pattern (ends with '%%')");
    return pattern + 1;
  }
  if (c != '[') return pattern;
  if (pattern < end && *pattern == '^') ++pattern;
  do {
    if (pattern == end) luaL_error(thread_, "malformed pattern (missing ']')");
    const char inner = *pattern++;
    if (inner == kEscape) {
      if (pattern == end) luaL_error(thread_, "malformed pattern (missing ']')");
      ++pattern;
    }
  } while (pattern == end || *pattern != ']');
  step(static_cast<std::size_t>(pattern - begin) / kBytesOfAStep);
  return pattern + 1;
}

bool Pattern::matches_class(int c, int cls) {
  bool is = false;
  switch (std::tolower(cls)) {
    case 'a':
      is = std::isalpha(c) != 0;
      break;
    case 'c':
      is = std::iscntrl(c) != 0;
      break;
    case 'd':
      is = std::isdigit(c) != 0;
      break;
    case 'g':
      is = std::isgraph(c) != 0;
      break;
    case 'l':
      is = std::islower(c) != 0;
      break;
    case 'p':
      is = std::ispunct(c) != 0;
      break;
    case 's':
      is = std::isspace(c) != 0;
      break;
    case 'u':
      is = std::isupper(c) != 0;
      break;
    case 'w':
      is = std::isalnum(c) != 0;
      break;
    case 'x':
      is = std::isxdigit(c) != 0;
      break;
    default:
      return cls == c;
  }
  return std::isupper(cls) != 0 ? !is : is;
}

/// `set` is at its '[', `end` at its ']'.
bool Pattern::in_set(int c, const char* set, const char* end) {
  bool found = true;
  if (set[1] == '^') {
    found = false;
    ++set;
  }
  while (++set < end) {
    if (*set == kEscape) {
      ++set;
      if (matches_class(c, byte(set))) return found;
    } else if (set[1] == '-' && set + 2 < end) {
      set += 2;
      if (byte(set - 2) <= c && c <= byte(set)) return found;
    } else if (byte(set) == c) {
      return found;
    }
  }
  return !found;
}

bool Pattern::single(const char* text, const char* pattern, const char* end) {
  if (text >= text_.data() + text_.size()) return false;
  const int c = byte(text);
  switch (*pattern) {
    case '.':
      return true;
    case kEscape:
      return matches_class(c, byte(pattern + 1));
    case '[':
      step(static_cast<std::size_t>(end - pattern) / kBytesOfAStep);
      return in_set(c, pattern, end - 1);
    default:
      return byte(pattern) == c;
  }
}

const char* Pattern::balanced(const char* text, const char* pattern) {
  if (pattern + 1 >= pattern_.data() + pattern_.size())
    luaL_error(thread_, "malformed pattern (missing arguments to '%%b')");
  const char* const end = text_.data() + text_.size();
  if (text >= end || *text != *pattern) return nullptr;
  int open = 1;
  while (++text < end) {
    step();
    if (*text == pattern[1]) {
      if (--open == 0) return text + 1;
    } else if (*text == pattern[0]) {
      ++open;
    }
  }
  return nullptr;
}

const char* Pattern::longest(const char* text, const char* pattern, const char* end) {
  std::ptrdiff_t count = 0;
  while (single(text + count, pattern, end)) {
    step();
    ++count;
  }
  for (; count >= 0; --count) {
    step();
    if (const char* matched = match(text + count, end + 1)) return matched;
  }
  return nullptr;
}

const char* Pattern::shortest(const char* text, const char* pattern, const char* end) {
  while (true) {
    step();
    if (const char* matched = match(text, end + 1)) return matched;
    if (!single(text, pattern, end)) return nullptr;
    ++text;
  }
}

const char* Pattern::open(const char* text, const char* pattern, std::ptrdiff_t what) {
  if (level_ >= kMostCaptures) luaL_error(thread_, "too many captures");
  capture_[static_cast<std::size_t>(level_)] = {text, what};
  ++level_;
  const char* matched = match(text, pattern);
  if (matched == nullptr) --level_;
  return matched;
}

const char* Pattern::close(const char* text, const char* pattern) {
  int index = level_ - 1;
  while (index >= 0 && capture_[static_cast<std::size_t>(index)].length != kOpen) --index;
  if (index < 0) luaL_error(thread_, "invalid pattern capture");
  Capture& capture = capture_[static_cast<std::size_t>(index)];
  capture.length = text - capture.begin;
  const char* matched = match(text, pattern);
  if (matched == nullptr) capture_[static_cast<std::size_t>(index)].length = kOpen;
  return matched;
}

const char* Pattern::back_reference(const char* text, int digit) {
  const int index = digit - '1';
  if (index < 0 || index >= level_ || capture_[static_cast<std::size_t>(index)].length == kOpen)
    luaL_error(thread_, "invalid capture index %%%d", index + 1);
  const Capture& capture = capture_[static_cast<std::size_t>(index)];
  const auto length = static_cast<std::size_t>(capture.length);
  const auto left = static_cast<std::size_t>(text_.data() + text_.size() - text);
  step(length / kBytesOfAStep);
  if (left < length || std::memcmp(capture.begin, text, length) != 0) return nullptr;
  return text + length;
}

bool Pattern::at_frontier(const char* text, const char* set, const char* end) {
  step(static_cast<std::size_t>(end - set) / kBytesOfAStep);
  const bool last = text == text_.data() + text_.size();
  const int before = text == text_.data() ? 0 : byte(text - 1);
  return !in_set(before, set, end - 1) && in_set(last ? 0 : byte(text), set, end - 1);
}

/// One item with what follows it. `done`: the result is that of all the rest; else it goes on at `next_…`.
const char* Pattern::match_item(const char* text, const char* pattern, const char* end, bool& done,
                                const char*& next_text, const char*& next_pattern) {
  done = true;
  const bool last = end == pattern_.data() + pattern_.size();
  const char kind = last ? '\0' : *end;
  const bool fits = kind != '*' && kind != '-' && single(text, pattern, end);
  switch (kind) {
    case '?': {
      if (fits) {
        if (const char* matched = match(text + 1, end + 1)) return matched;
      }
      done = false;
      next_text = text;
      next_pattern = end + 1;
      return nullptr;
    }
    case '+':
      return fits ? longest(text + 1, pattern, end) : nullptr;
    case '*':
      return longest(text, pattern, end);
    case '-':
      return shortest(text, pattern, end);
    default:
      if (!fits) return nullptr;
      done = false;
      next_text = text + 1;
      next_pattern = end;
      return nullptr;
  }
}

const char* Pattern::match(const char* text, const char* pattern) {
  if (++depth_ > kMostDepth) luaL_error(thread_, "pattern too complex");
  const char* const end = pattern_.data() + pattern_.size();
  const char* matched = nullptr;
  while (true) {
    step();
    if (pattern == end) {
      matched = text;
      break;
    }
    if (*pattern == '(') {
      const bool position = pattern + 1 < end && pattern[1] == ')';
      matched = position ? open(text, pattern + 2, kPosition) : open(text, pattern + 1, kOpen);
      break;
    }
    if (*pattern == ')') {
      matched = close(text, pattern + 1);
      break;
    }
    if (*pattern == '$' && pattern + 1 == end) {
      matched = text == text_.data() + text_.size() ? text : nullptr;
      break;
    }
    const char escaped = *pattern == kEscape && pattern + 1 < end ? pattern[1] : '\0';
    if (escaped == 'b') {
      text = balanced(text, pattern + 2);
      if (text == nullptr) break;
      pattern += 4;
      continue;
    }
    if (escaped == 'f') {
      pattern += 2;
      if (pattern == end || *pattern != '[')
        luaL_error(thread_, "missing '[' after '%%f' in pattern");
      const char* const behind = class_end(pattern);
      if (!at_frontier(text, pattern, behind)) break;
      pattern = behind;
      continue;
    }
    if (escaped >= '0' && escaped <= '9') {
      text = back_reference(text, escaped);
      if (text == nullptr) break;
      pattern += 2;
      continue;
    }
    bool done = false;
    matched = match_item(text, pattern, class_end(pattern), done, text, pattern);
    if (done) break;
  }
  --depth_;
  return matched;
}

void Pattern::push_capture(int index, const char* begin, const char* end) const {
  if (index >= level_) {
    if (index != 0) luaL_error(thread_, "invalid capture index %%%d", index + 1);
    lua_pushlstring(thread_, begin, static_cast<std::size_t>(end - begin));
    return;
  }
  const Capture& capture = capture_[static_cast<std::size_t>(index)];
  if (capture.length == kOpen) luaL_error(thread_, "unfinished capture");
  if (capture.length == kPosition) {
    lua_pushinteger(thread_, capture.begin - text_.data() + 1);
  } else {
    lua_pushlstring(thread_, capture.begin, static_cast<std::size_t>(capture.length));
  }
}

int Pattern::push_captures(const char* begin, const char* end, bool whole) const {
  const int count = level_ == 0 && whole ? 1 : level_;
  luaL_checkstack(thread_, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(i, begin, end);
  return count;
}

std::string_view text_at(lua_State* thread, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(thread, index, &size);
  return {text, size};
}

}  // namespace rpl
