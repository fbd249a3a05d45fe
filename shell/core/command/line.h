// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/command/registry.h"

namespace rpl {

/// How a result is written.
enum class Format { text, json, jsonl, csv, csv_raw, markdown, fields, scalar };

struct Form {
  Format format = Format::text;
  std::optional<std::uint64_t> limit;  ///< at most so many rows
  bool on_one_line = false;            ///< of JSON: as part of a message
};

/// One word of a command line. A quoted word is never a variable, a suffix, an option or a comment.
struct Word {
  std::string text;
  bool quoted = false;
  std::size_t offset = 0;  ///< in the line, of the word's first byte
  std::size_t length = 0;  ///< in the line, with quotes and backslashes
};

/// A line taken apart before any command is looked up.
struct Line {
  std::vector<Word> words;
  std::string pipe;             ///< host command after an unquoted `|`; "" for none
  std::size_t pipe_offset = 0;  ///< in the line, of the `|`; 0 for none
  std::string text;             ///< as typed, trimmed
};

/// Fails with limit for a line of more than 1 MiB: taking it apart, and keeping it in the session's log, cannot be stopped.
Status check_length_of_line(std::string_view line);

/// Splits as a shell would: blanks, '…', "…", backslash; `#` starts a comment at the beginning of a word; ` | ` starts a pipe, ` || ` does not.
/// An unclosed quote is an error that says where it began.
Result<Line> split_line(std::string_view text);

/// A command with everything it needs to run.
struct Invocation {
  const Command* command = nullptr;
  Arguments arguments;
  Form form;
  std::string pipe;
  std::vector<std::string>
      open;  ///< files named by --trace, --att, --capture or as extra positionals: open these first
};

/// What parsing needs to know from its surroundings.
struct ParseHooks {
  /// `$kernel`, `$3.rows[1].id`: the text that stands for it.
  std::function<Result<std::string>(std::string_view variable)> variable;
  /// Whether a positional names something that can be opened (an existing recording).
  std::function<bool(std::string_view path)> opens;
};

/// Resolves the command of the words and parses its arguments (options may stand anywhere after the name). `line` is the text
/// that the words' offsets count in: what a parameter that is a phrase takes is cut from it as typed.
Result<Invocation> parse(const Registry& registry, std::span<const Word> words,
                         const ParseHooks& hooks, std::string_view line = {});

/// The same for a raw command: everything behind its name and form suffix is one argument, but for what RawText leaves to the
/// shell. nullopt when the line is not a raw command.
Result<std::optional<Invocation>> parse_raw(const Registry& registry, std::string_view line);

/// The line with what its first word stands for, when that is an alias: its form suffix goes behind the words of the command.
std::string without_alias(const Registry& registry, std::string_view line);

/// Turns a positional list and named values (Lua, JSON) into checked Arguments.
Result<Arguments> check_arguments(const Command& command, std::span<const Value> positional,
                                  const Record& named);

}  // namespace rpl
