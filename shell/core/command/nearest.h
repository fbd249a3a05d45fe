// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/core/command/line.h"

namespace rpl {

/// Up to three of `names` that a person who typed `typed` may have meant, best first: edit distance with transpositions
/// (Damerau-Levenshtein, restricted) of at most a third of the length, or `typed` contained in the name.
std::vector<std::string> nearest(std::string_view typed, std::span<const std::string> names);

/// "did you mean 'a', 'b' or 'c'?"; "" for no names.
std::string did_you_mean(std::span<const std::string> names);

/// Form suffixes: how a line says in what form it wants its result.
/// "j", "json" and so on; nullopt for anything else.
std::optional<Format> format_of(std::string_view letter);

/// "/j", "/20", "/20c": whether the word is a form suffix, which it then adds to `form`.
bool take_suffix(std::string_view word, Form& form);

/// Whether what stands behind a slash at the name of `command` is for its suffix_option: a format of GDB ("x", "8xw"), not a form ("j", "20").
bool is_own_suffix(const Command& command, std::string_view suffix);

/// Splits "kernels/j" into the command word and its suffix, which is "" when there is none.
std::pair<std::string, std::string> split_suffix(const Word& word);

}  // namespace rpl
