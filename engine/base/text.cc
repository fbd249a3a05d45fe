// SPDX-License-Identifier: MIT
#include "engine/base/text.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cwchar>
#include <memory>
#include <vector>

#include "engine/base/encode.h"

namespace rpl {
namespace {

/// Bytes of the UTF-8 sequence at `at`; 1 for a broken one.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  if (at + length > text.size()) return 1;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[at + k]) & 0xc0U) != 0x80U) return 1;
  }
  return length;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = sequence_length(text, i);
    wchar_t point = L'?';
    if (length > 1) {
      unsigned value = byte & (0xffU >> (length + 1));
      for (std::size_t k = 1; k < length; ++k) {
        value = (value << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
      }
      point = static_cast<wchar_t>(value);
    }
    const int columns = length == 1 ? 1 : wcwidth(point);
    width += columns < 0 ? 1 : static_cast<std::size_t>(columns);
    i += length;
  }
  return width;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  constexpr std::size_t kLeast = 30;
  const std::size_t room = std::max(width > indent ? width - indent : 0, kLeast);
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t wide = display_width(word);
    if (used != 0 && used + 1 + wide > room) {
      out += '\n';
      used = 0;
    }
    out += used == 0 ? std::string(indent, ' ') : " ";
    used += wide + (used == 0 ? 0 : 1);
    out += word;
  }
  return out + '\n';
}

namespace {

/// How far in the lines stand that go on with `line`.
std::size_t hanging_indent(std::string_view line, std::size_t width) {
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  std::size_t indent = blanks + 2;
  for (std::size_t at = line.find("  ", blanks); at != std::string_view::npos;
       at = line.find("  ", at)) {
    at = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t column = display_width(line.substr(0, at));
    if (column > width / 2) break;
    indent = column;
  }
  return std::min(indent, width / 2);
}

/// Whether a blank stands between a number and its unit, which are read together.
bool within_quantity(std::string_view line, std::size_t blank) {
  static constexpr std::array<std::string_view, 17> kUnits{
      "%",   "ns", "us",   "ms",   "s",  "B",  "KiB", "MiB", "GiB",
      "TiB", "x",  "GB/s", "TB/s", "GF", "TF", "PF",  "MHz"};
  if (blank == 0 || line[blank - 1] < '0' || line[blank - 1] > '9') return false;
  std::string_view word = line.substr(blank + 1);
  word = word.substr(0, word.find_first_of(" ,;:)"));
  return std::ranges::find(kUnits, word) != kUnits.end();
}

void break_line(std::string_view line, std::size_t width, std::string& out) {
  const bool in_diff = line.starts_with('+') || line.starts_with('-') || line.starts_with('@');
  if (in_diff || width == 0 || display_width(line) <= width) {
    out += line;
    return;
  }
  const std::size_t indent = hanging_indent(line, width);
  for (std::size_t used_indent = 0; !line.empty(); used_indent = indent) {
    const std::size_t room = width - used_indent;
    std::size_t end = line.size();
    if (display_width(line) > room) {
      // The last blank before what does not fit; none: the terminal breaks the word.
      const std::size_t from =
          used_indent == 0 ? std::min(line.find_first_not_of(' '), line.size()) : 0;
      std::size_t best = std::string_view::npos;
      for (std::size_t at = line.find(' ', from); at != std::string_view::npos;
           at = line.find(' ', at + 1)) {
        if (best != std::string_view::npos && display_width(line.substr(0, at)) > room) break;
        if (!within_quantity(line, at)) best = at;
      }
      if (best != std::string_view::npos) end = best;
    }
    std::string_view part = line.substr(0, end);
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    out += std::string(used_indent, ' ');
    out += part;
    line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
    if (!line.empty()) out += '\n';
  }
}

}  // namespace

std::string broken_between_words(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    break_line(text.substr(0, end), width, out);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string elide_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 4) return std::string(text.substr(0, width));
  // By bytes: kernel names are ASCII; a rare multi-byte name only loses a little more than it must.
  const std::size_t kept = width - 2;
  const std::size_t head = (kept + 1) / 2;
  std::string_view front = text.substr(0, head);
  std::string_view back = text.substr(text.size() - (kept - head));
  while (!front.empty() && (static_cast<unsigned char>(text[front.size()]) & 0xc0U) == 0x80U) {
    front.remove_suffix(1);
  }
  while (!back.empty() && (static_cast<unsigned char>(back.front()) & 0xc0U) == 0x80U) {
    back.remove_prefix(1);
  }
  return std::string(front) + ".." + std::string(back);
}

namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const unsigned first = byte_at(text, at), second = byte_at(text, at + 1);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80, high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  if (length == 0 || second < low || second > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string with_utf8_only(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    out += length == 0 ? "\uFFFD" : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string demangled(const std::string& name) {
  // Without the prefix the library takes a name for a type: "f" for float.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

namespace {

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Cuts the argument list: the last parenthesised group at depth zero that ends the name (maybe followed by " [clone …]").
std::string_view without_arguments(std::string_view name) {
  if (const std::size_t clone = name.find(" [clone"); clone != std::string_view::npos) {
    name = name.substr(0, clone);
  }
  if (name.ends_with(") const")) name.remove_suffix(6);
  if (!name.ends_with(')')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      // "(anonymous namespace)" is a name, not an argument list.
      return i == 0 ? name : name.substr(0, i);
    }
  }
  return name;
}

/// Cuts "void " and other return types: what stands before the last blank at depth zero.
std::string_view without_return_type(std::string_view name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')' || name[i] == '>' || name[i] == '}') ++depth;
    if (name[i] == '(' || name[i] == '<' || name[i] == '{') --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

/// Drops "a::b::" before every identifier, also inside template arguments.
std::string without_namespaces(std::string_view name) {
  std::string out;
  std::size_t word = 0;  // where the current qualified name began in `out`
  for (std::size_t i = 0; i < name.size(); ++i) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    if (name.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':') {
      const bool after_template = !out.empty() && out.back() == '>';
      if (after_template) {
        out += "::";
      } else {
        out.resize(word);
      }
      ++i;
    } else {
      out += name[i];
      if (!word_char(name[i])) word = out.size();
    }
  }
  return out;
}

}  // namespace

std::string short_kernel(std::string_view name) {
  const std::string whole = demangled(std::string(name));
  const std::string_view bare = without_return_type(without_arguments(whole));
  std::string out = without_namespaces(bare);
  if (out.empty()) out = whole;
  // Sentences have it in their middle.
  std::ranges::replace(out, '\n', ' ');
  return out;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace rpl
