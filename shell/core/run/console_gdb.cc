// SPDX-License-Identifier: MIT
// What the console has of GDB: pipes by name, numbers of printed values, bodies of words that are not here.
#include <fmt/format.h>

#include <algorithm>

#include "shell/core/command/gdb_words.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/core/session/script_lines.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

bool asks_for_pipe(std::string_view raw) {
  const std::string_view text = without_blanks(raw);
  return text.starts_with("pipe ") || (text.starts_with('|') && !text.starts_with("||"));
}

Result<Invocation> Console::piped(std::string_view raw) {
  std::string line = without_sugar(raw);
  std::string delimiter = "|";
  if (line.starts_with("-d ")) {
    std::string_view rest = without_blanks(std::string_view(line).substr(3));
    delimiter = rest.substr(0, rest.find(' '));
    line = std::string(without_blanks(rest.substr(delimiter.size())));
  }
  const std::size_t bar = delimiter.empty() ? std::string::npos : line.find(delimiter);
  if (bar == std::string::npos)
    return fail(Errc::usage, fmt::format("there is no '{}' behind the line", delimiter),
                "pipe print $v2 | cat");
  Invocation invocation = TRY(understand(without_blanks(std::string_view(line).substr(0, bar))));
  invocation.pipe =
      std::string(without_blanks(std::string_view(line).substr(bar + delimiter.size())));
  if (invocation.pipe.empty())
    return fail(Errc::usage, "no command after '|'", "name one, as in: info kernels | head");
  return invocation;
}

/// GDB's words that are not here and have a body: its lines must not run one by one.
void Console::skip_body(std::string_view line) {
  const std::vector<std::string> words = split_words(line);
  const GdbWord* word = words.empty() ? nullptr : gdb_word("", words[0]);
  if (word == nullptr || word->why.empty()) return;
  constexpr std::string_view kAlways[] = {"if", "while", "actions", "while-stepping"};
  constexpr std::string_view kAlone[] = {"python", "guile", "compile", "python-interactive"};
  const bool body =
      std::ranges::find(kAlways, word->path) != std::end(kAlways) ||
      (words.size() == 1 && std::ranges::find(kAlone, word->path) != std::end(kAlone));
  if (body) static_cast<void>(read_body(*this, context_.registry(), word->path).has_value());
}

/// "$3 = 7", as GDB shows what it keeps; nothing for other forms, and for what is no text.
std::optional<std::string> Console::numbered_text(const Document& document, const Command& command,
                                                  Format format) const {
  if (!command.numbered || format != Format::text || document.text.empty() ||
      context_.values().last() == 0)
    return std::nullopt;
  return fmt::format("${} = {}", context_.values().last(), document.text);
}

}  // namespace rpl
