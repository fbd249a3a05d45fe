// SPDX-License-Identifier: MIT
#include "engine/base/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

struct CodeRange {
  char32_t first, last;
};

// Unicode 15: Cc, and what of Cf, Zl and Zp shows nothing or changes the order of what stands around it.
constexpr CodeRange kInvisible[] = {{0x0000, 0x001F}, {0x007F, 0x009F},  {0x00AD, 0x00AD},
                                    {0x061C, 0x061C}, {0x180E, 0x180E},  {0x200B, 0x200F},
                                    {0x2028, 0x202E}, {0x2060, 0x206F},  {0xFEFF, 0xFEFF},
                                    {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

enum class LineFeeds { keep, escape };

void append_escape(std::string& out, char32_t code) {
  const auto number = static_cast<std::uint32_t>(code);
  const auto to = std::back_inserter(out);
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += "\\t";
  } else if (code < 0x80) {
    fmt::format_to(to, "\\x{:02x}", number);
  } else if (code < 0x10000) {
    fmt::format_to(to, "\\u{:04x}", number);
  } else {
    fmt::format_to(to, "\\U{:08x}", number);
  }
}

std::string visible(std::string_view text, LineFeeds feeds) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[at++]));
      continue;
    }
    const std::string_view sequence = text.substr(at, length);
    at += length;
    const bool kept = feeds == LineFeeds::keep && (sequence == "\n" || sequence == "\t");
    const char32_t code = code_point(sequence, length);
    if (kept || !is_invisible(code)) {
      out += sequence;
    } else {
      append_escape(out, code);
    }
  }
  return out;
}

/// Puts `before` in front of every one of `marked`.
std::string with_marks(std::string_view text, std::string_view marked, char before) {
  std::string out;
  for (const char c : text) {
    if (marked.find(c) != std::string_view::npos) out += before;
    out += c;
  }
  return out;
}

}  // namespace

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_invisible(char32_t code) {
  return std::ranges::any_of(kInvisible, [&](const CodeRange& range) {
    return code >= range.first && code <= range.last;
  });
}

char32_t code_point(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length <= 1) return byte(0);
  char32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

std::string terminal_text(std::string_view text) { return visible(text, LineFeeds::keep); }

std::string terminal_line(std::string_view text) { return visible(text, LineFeeds::escape); }

std::string terminal_block(std::string_view text, std::size_t indent) {
  std::string out;
  const std::string shown = terminal_text(text);
  for (const char c : shown) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

std::string csv_quoted(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  return '"' + with_marks(text, "\"", '"') + '"';
}

std::string csv_text(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  const bool may_be_formula = !text.empty() && kFormula.find(text[0]) != std::string_view::npos;
  const auto stays = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != ','; };
  if (!may_be_formula && std::ranges::all_of(text, stays)) return std::string(text);
  const bool formula = may_be_formula && !whole_number<double>(text);
  return csv_quoted((formula ? "'" : "") + terminal_text(text));
}

std::string markdown_text(std::string_view text) {
  const std::string line = terminal_line(text);
  // Between letters an underscore is only that.
  const auto in_word = [&](std::size_t at) {
    const auto letter = [&](std::size_t i) {
      return i < line.size() && std::isalnum(static_cast<unsigned char>(line[i])) != 0;
    };
    return at > 0 && letter(at - 1) && letter(at + 1);
  };
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '&' || c == '<') {
      out += c == '&' ? "&amp;" : "&lt;";
      continue;
    }
    const bool link = c == ']' && line.substr(at).starts_with("](");
    const bool marks = std::string_view("|`*\\").find(c) != std::string_view::npos;
    if (marks || link || (c == '_' && !in_word(at))) out += '\\';
    out += c;
  }
  return out;
}

std::string dot_string(std::string_view text) {
  return '"' + with_marks(terminal_line(text), "\"\\", '\\') + '"';
}

}  // namespace rpl
