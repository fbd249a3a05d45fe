// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "shell/core/command/line.h"

/// Form suffixes: how a line says in what form it wants its result.
namespace rpl {

/// "j", "json" and so on; nullopt for anything else.
std::optional<Format> format_of(std::string_view letter);

/// "/j", "/20", "/20c": whether the word is a form suffix, which it then adds to `form`.
bool take_suffix(std::string_view word, Form& form);

/// Splits "kernels/j" into the command word and its suffix, which is "" when there is none.
std::pair<std::string, std::string> split_suffix(const Word& word);

}  // namespace rpl
