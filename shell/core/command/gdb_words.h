// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// A word that people who know GDB type: a command, a subcommand or a setting, as GDB's manual spells it.
struct GdbWord {
  std::string_view
      path;  ///< "info registers"; the last word may be cut short as long as that stays unique among GDB's
  std::string_view aliases;  ///< further spellings of its last word, between blanks: "r"
  std::string_view
      why;  ///< why there is no such thing for a kernel; empty where a command or a setting of that name is
  std::string_view instead;  ///< what does it here: what to type
};

/// All of them. The one place that says how GDB abbreviates, and what is said about what cannot be had here.
std::span<const GdbWord> gdb_words();

/// The row that GDB would take `word` for behind `family` ("" or "info"), by its exact spelling or one of its aliases; null for none.
const GdbWord* gdb_word(std::string_view family, std::string_view word);
/// The same by a beginning that no other word of the family has.
const GdbWord* gdb_word_beginning(std::string_view family, std::string_view word);

/// Whether the path is one of GDB's words: it goes before others that begin alike.
bool is_gdb_word(std::string_view path);

/// The last word of a path.
std::string_view last_word(std::string_view path);

/// What is said to somebody who types it; nothing for a word that has a command of its own here.
std::optional<Error> gdb_answer(const GdbWord& word);

/// The answer to the first words of a line, as `set print pretty on`; nothing where none is needed.
std::optional<Error> gdb_answer_to(std::span<const std::string> words);

}  // namespace rpl
