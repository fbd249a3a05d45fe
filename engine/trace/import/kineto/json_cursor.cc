// SPDX-License-Identifier: MIT
#include "engine/trace/import/kineto/json_cursor.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/base/numbers.h"
#include "engine/trace/import/json/json_bytes.h"

namespace rpl {
namespace {

void append_utf8(std::string& out, std::uint32_t c) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  const auto more = [&](int shift) { byte(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0U | c >> 6);
    return more(0);
  }
  if (c < 0x10000) {
    byte(0xE0U | c >> 12);
    more(6);
    return more(0);
  }
  byte(0xF0U | c >> 18);
  more(12);
  more(6);
  more(0);
}

/// The four digits behind "\u" at `at`.
std::optional<std::uint32_t> code_unit(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  return whole_number<std::uint32_t>(text.substr(at + 2, 4), 16);
}

bool is_high(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Appends what the "\u" at `at` stands for; its bytes.
std::size_t append_unicode(std::string& out, std::string_view text, std::size_t at) {
  const auto unit = code_unit(text, at);
  if (!unit) {
    out += '?';
    return 2;
  }
  if (is_high(*unit)) {
    if (const auto low = code_unit(text, at + 6); low && is_low(*low)) {
      append_utf8(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
      return 12;
    }
  }
  if (is_high(*unit) || is_low(*unit)) {
    out += '?';
  } else {
    append_utf8(out, *unit);
  }
  return 6;
}

}  // namespace

std::string unescaped(std::string_view inner) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeans = "\b\f\n\r\t";
  std::string out;
  out.reserve(inner.size());
  for (std::size_t at = 0; at < inner.size();) {
    if (inner[at] != '\\' || at + 1 == inner.size()) {
      out += inner[at++];
    } else if (inner[at + 1] == 'u') {
      at += append_unicode(out, inner, at);
    } else {
      const std::size_t letter = kLetters.find(inner[at + 1]);
      out += letter == std::string_view::npos ? inner[at + 1] : kMeans[letter];
      at += 2;
    }
  }
  return out;
}

bool JsonCursor::fail(const char* why) {
  if (why_ == nullptr) why_ = why;
  return false;
}

void JsonCursor::skip_space() {
  while (at_ < end_ && json_bytes::among(json_bytes::kSpace, *at_)) ++at_;
}

bool JsonCursor::expect(char wanted) {
  skip_space();
  if (at_ == end_ || *at_ != wanted) {
    switch (wanted) {
      case ':':
        return fail("expected ':'");
      case ',':
        return fail("expected ','");
      case '{':
        return fail("expected an object");
      default:
        return fail("expected an array");
    }
  }
  ++at_;
  return true;
}

bool JsonCursor::enter(char open) {
  if (failed() || !expect(open)) return false;
  first_ = true;
  return true;
}

bool JsonCursor::more(char close) {
  if (failed()) return false;
  skip_space();
  if (at_ < end_ && *at_ == close) {
    ++at_;
    first_ = false;
    return false;
  }
  if (!std::exchange(first_, false) && !expect(',')) return false;
  skip_space();
  return true;
}

bool JsonCursor::next_member(std::string_view& key) {
  if (!more('}')) return false;
  if (at_ == end_ || *at_ != '"') return fail("expected a key");
  const char* const open = at_;
  if (!pass_string()) return false;
  key = {open + 1, static_cast<std::size_t>(at_ - open) - 2};
  return expect(':');
}

bool JsonCursor::next_element() { return more(']'); }

bool JsonCursor::next_in_list() {
  if (failed()) return false;
  skip_space();
  if (at_ == end_) return false;
  return std::exchange(first_, false) || expect(',');
}

std::string_view JsonCursor::value() {
  if (failed()) return {};
  skip_space();
  const char* const from = at_;
  if (!pass_value()) return {};
  first_ = false;
  return {from, static_cast<std::size_t>(at_ - from)};
}

std::string_view JsonCursor::token() {
  std::string_view text = value();
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

bool JsonCursor::pass_string() {
  const char* const open = at_++;
  while (true) {
    const auto rest = static_cast<std::size_t>(end_ - at_);
    const void* const found = std::memchr(at_, '"', rest);
    if (found == nullptr) return fail("a string is not closed");
    const char* const quote = static_cast<const char*>(found);
    const char* slash = quote;
    while (slash > at_ && slash[-1] == '\\') --slash;
    at_ = quote + 1;
    if ((quote - slash) % 2 == 0) break;
  }
  if (static_cast<std::size_t>(at_ - open) > kMostStringBytes)
    return fail("a string is longer than 16 MiB");
  return true;
}

bool JsonCursor::pass_value() {
  if (at_ == end_) return fail("expected a value");
  if (*at_ == '"') return pass_string();
  if (*at_ != '{' && *at_ != '[') {
    if (!json_bytes::among(json_bytes::kScalarBegin, *at_)) return fail("expected a value");
    while (at_ < end_ && !json_bytes::among(json_bytes::kScalarEnd, *at_)) ++at_;
    return true;
  }
  std::size_t depth = 0;
  while (true) {
    while (at_ < end_ && !json_bytes::among(json_bytes::kStructure, *at_)) ++at_;
    if (at_ == end_) return fail("a bracket is not closed");
    if (*at_ == '"') {
      if (!pass_string()) return false;
      continue;
    }
    const bool opens = *at_ == '{' || *at_ == '[';
    ++at_;
    depth = opens ? depth + 1 : depth - 1;
    if (depth > kMostDepth) return fail("values are nested more than 256 deep");
    if (depth == 0) return true;
  }
}

}  // namespace rpl
