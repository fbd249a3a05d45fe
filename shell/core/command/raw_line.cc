// SPDX-License-Identifier: MIT
// Lines that are not taken apart into words: raw commands, and what an alias stands for.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "shell/core/command/line.h"
#include "shell/core/command/nearest.h"

namespace rpl {
namespace {

/// Where the word at `from` of a raw line ends.
std::size_t word_end(std::string_view line, std::size_t from) {
  return std::min(line.find_first_of(" \t\n", from), line.size());
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\n"), text.size());
  text.remove_prefix(first);
  return text;
}

/// Where the pipe of a raw command's text begins; npos for none.
Result<std::size_t> pipe_in(const Command& command, std::string_view text) {
  if (command.raw_text == RawText::own) return std::string_view::npos;
  if (text.starts_with('|') && !text.starts_with("||")) return 0;
  if (command.raw_text != RawText::words) return std::string_view::npos;
  const Line line = TRY(split_line(text));
  return line.pipe.empty() ? std::string_view::npos : line.pipe_offset;
}

/// The name in front of a slash, and what stands behind it.
std::pair<std::string, std::string> at_slash(const std::string& word) {
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos || slash == 0) return {word, ""};
  return {word.substr(0, slash), word.substr(slash + 1)};
}

/// GDB's options of print, `-pretty on --`: what stands in front of ` -- ` is about the form of structures. Those that cut values are not there.
Result<std::string_view> without_print_options(std::string_view text) {
  if (text.size() < 2 || text[0] != '-' || std::isalpha(static_cast<unsigned char>(text[1])) == 0)
    return text;
  const std::size_t end = text.find("-- ");
  if (end == std::string_view::npos) return text;
  for (const std::string_view cuts : {"-elements", "-repeats", "-max-depth"}) {
    if (text.substr(0, end).find(cuts) != std::string_view::npos)
      return fail(Errc::unsupported, "values are printed in one way",
                  "'print NAME[0]@8' says how many elements");
  }
  return without_blanks(text.substr(end + 3));
}

}  // namespace

Result<std::optional<Invocation>> parse_raw(const Registry& registry, std::string_view line) {
  const std::string first(line.substr(0, word_end(line, 0)));
  const auto [name, suffix] = at_slash(first);
  const auto resolved = registry.resolve(std::vector<std::string>{name});
  if (!resolved || !resolved->command->raw) return std::nullopt;
  Invocation out;
  out.command = resolved->command;
  const auto takes = [&](std::string_view text) {
    if (!is_own_suffix(*out.command, text)) return take_suffix(fmt::format("/{}", text), out.form);
    out.arguments[out.command->suffix_option] = Value(text);
    return true;
  };
  if (!suffix.empty() && !takes(suffix)) {
    if (out.command->suffix_option.empty()) return std::nullopt;
    // The command says what it does not take.
    out.arguments[out.command->suffix_option] = Value(suffix);
  }
  std::string_view text = without_blanks(line.substr(first.size()));
  while (out.command->raw_text != RawText::own && text.starts_with('/') &&
         takes(text.substr(1, word_end(text, 0) - 1))) {
    text = without_blanks(text.substr(word_end(text, 0)));
  }
  if (!out.command->suffix_option.empty()) text = TRY(without_print_options(text));
  if (const std::size_t bar = TRY(pipe_in(*out.command, text)); bar != std::string_view::npos) {
    out.pipe = std::string(without_blanks(text.substr(bar + 1)));
    if (out.pipe.empty())
      return fail(Errc::usage, "no command after '|'", "name one, as in: info kernels | head");
    text = text.substr(0, bar);
    while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  }
  const Param& param = out.command->params.front();
  if (!text.empty()) {
    out.arguments[param.name] = Value(text);
  } else if (param.required) {
    return fail(Errc::usage, fmt::format("'{}' needs {}", out.command->path, param.help),
                fmt::format("usage: {}", out.command->usage()));
  }
  return out;
}

std::string without_alias(const Registry& registry, std::string_view line) {
  const Word first{std::string(line.substr(0, word_end(line, 0)))};
  const auto [name, suffix] = split_suffix(first);
  const auto alias = registry.aliases().find(name);
  if (alias == registry.aliases().end()) return std::string(line);
  std::string text = alias->second;
  // The suffix belongs behind the words of the command, not behind the arguments that the alias brings.
  if (const auto words = split_line(text); words && !suffix.empty()) {
    std::vector<std::string> names;
    for (const Word& word : words->words) names.push_back(word.text);
    const auto resolved = registry.resolve(names);
    const std::size_t last = resolved ? std::max<std::size_t>(resolved->words, 1) - 1 : 0;
    text.insert(words->words[last].offset + words->words[last].length, suffix);
  }
  return text + std::string(line.substr(first.text.size()));
}

}  // namespace rpl
