// SPDX-License-Identifier: MIT
#include "engine/source/text/assembly.h"

#include <algorithm>

namespace rpl {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kBlanks = " \t";

bool is_among(char c, std::string_view set) { return set.find(c) != set.npos; }

/// The characters between the quotes; nothing where there is a prefix, or an escape other than \n and \t.
std::optional<std::string> contents(std::string_view literal) {
  if (literal.size() < 2 || literal.front() != '"' || literal.back() != '"') return std::nullopt;
  literal = literal.substr(1, literal.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\') {
      out += literal[i];
    } else if (i + 1 < literal.size() && (literal[i + 1] == 'n' || literal[i + 1] == 't')) {
      out += literal[++i] == 'n' ? '\n' : '\t';
    } else {
      return std::nullopt;
    }
  }
  return out;
}

/// "v_add_f32 %0, %1, 1.0": a mnemonic, then blanks or the end.
bool is_instruction(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return true;
  line.remove_prefix(begin);
  if (!is_among(line.front(), kLetters)) return false;
  const auto end = std::ranges::find_if(
      line, [](char c) { return !is_among(c, kLetters) && !is_among(c, "0123456789"); });
  return end == line.end() || is_among(*end, kBlanks);
}

bool is_template(const std::string& text) {
  constexpr std::string_view kOthers = "0123456789 \t\n;,[]:%$+-|.()&";
  const bool known = std::ranges::all_of(
      text, [&](char c) { return is_among(c, kLetters) || is_among(c, kOthers); });
  if (!known) return false;
  std::string_view rest = text;
  while (true) {
    const std::size_t end = rest.find_first_of("\n;");
    if (!is_instruction(rest.substr(0, end))) return false;
    if (end == rest.npos) return true;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_plain_assembly(const SourceText& text, const ByteRange& statement) {
  std::size_t i = statement.begin + 1;
  while (i < statement.end && (text.is(i, "volatile") || text.is(i, "__volatile__"))) ++i;
  if (i >= statement.end || !text.is(i, "(")) return false;
  std::string lines;  // neighbouring literals are one
  std::size_t literals = 0;
  for (++i; i < statement.end && text[i].kind == SourceTokenKind::string; ++i, ++literals) {
    const auto part = contents(text[i].text);
    if (!part) return false;
    lines += *part;
  }
  // What follows are operands and clobbers, which are the compiler's to read.
  const bool ends = i < statement.end && (text.is(i, ":") || text.is(i, "::") || text.is(i, ")"));
  return literals > 0 && ends && is_template(lines);
}

std::uint32_t count_assembly(const BodyInText& body) {
  std::uint32_t out = 0;
  for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i) {
    const bool word =
        body.text.is(i, "asm") || body.text.is(i, "__asm__") || body.text.is(i, "__asm");
    out += word ? 1 : 0;
  }
  return out;
}

}  // namespace rpl
