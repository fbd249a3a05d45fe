// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

class Context;

/// One word that may stand at the end of a command line of a host shell.
struct WordChoice {
  std::string word;         ///< the whole word, unquoted
  std::string description;  ///< one line; empty for a file

  auto operator<=>(const WordChoice&) const = default;
};

/// Completes the last word of a command line `line` of bash, zsh or fish, which begins with the name of this program and ends at the cursor: the program's own
/// options and their values, commands (in the quoted argument of -ex too), and what commands take. Sorted. `is_command` is that of parse_options.
std::vector<WordChoice> complete_arguments(Context& context, std::string_view line,
                                           const std::function<bool(std::string_view)>& is_command);

/// What `rpl --emit-completion bash|zsh|fish` prints: it asks `rpl --complete` at each Tab, so that it knows the commands of the rpl that is called. Empty for
/// another shell.
std::string completion_script(std::string_view shell);

}  // namespace rpl
