// SPDX-License-Identifier: MIT
#include "shell/core/command/line.h"

#include <fmt/format.h>

namespace rpl {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Reads one word at `at`, which is not blank; leaves `at` behind it.
Result<Word> read_word(std::string_view text, std::size_t& at) {
  Word word;
  word.offset = at;
  char quote = 0;
  std::size_t opened = 0;
  for (; at < text.size() && (quote != 0 || !blank(text[at])); ++at) {
    const char c = text[at];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      opened = at;
      word.quoted = true;
    } else if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      word.text += text[++at];
    } else {
      word.text += c;
    }
  }
  if (quote != 0) {
    return fail(Errc::usage, fmt::format("unclosed {} at column {}", quote, opened + 1),
                "close the quote, or write a backslash before it");
  }
  word.length = at - word.offset;
  return word;
}

}  // namespace

Status check_length_of_line(std::string_view line) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  if (line.size() <= kMost) return {};
  return fail(Errc::limit, fmt::format("a line may have 1 MiB; this one has {} bytes", line.size()),
              "put long code into a file, and run it with 'source FILE'");
}

Result<Line> split_line(std::string_view raw) {
  Line line;
  const std::string_view text = trimmed(raw);
  line.text = std::string(text);
  std::size_t at = 0;
  while (at < text.size()) {
    if (blank(text[at])) {
      ++at;
      continue;
    }
    if (text[at] == '#') break;
    // SQL joins text with ||.
    if (text[at] == '|' && !line.words.empty() && !text.substr(at).starts_with("||")) {
      line.pipe = std::string(trimmed(text.substr(at + 1)));
      line.pipe_offset = at;
      if (line.pipe.empty())
        return fail(Errc::usage, "no command after '|'", "name one, as in: info kernels | head");
      break;
    }
    line.words.push_back(TRY(read_word(text, at)));
  }
  return line;
}

}  // namespace rpl
