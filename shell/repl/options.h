// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/command/line.h"

namespace rpl {

/// What the command line of the program asked for (design §3, "Command line").
struct Options {
  struct Action {
    bool is_file = false;  ///< -x FILE rather than -ex COMMAND
    std::string text;
  };
  std::vector<Action> actions;            ///< -ex and -x in the order given
  std::vector<std::string> words;         ///< a command and its arguments, or things to open
  std::vector<std::string> after_dashes;  ///< behind `--`: a script's arguments, or an application
  bool batch = false, quiet = false, no_init = false, args = false;
  bool no_color = false, version = false, help = false;
  Format format = Format::text;
  std::string session, target, interpreter = "console", stubs;
  std::size_t width = 0;  ///< 0: ask the terminal
  bool one_shot = false;  ///< `words` is a command
};

/// Reads argv without argv[0]. `is_command` says whether a first word names a command; from there on every word belongs to it
/// except the program's own options --session, --no-color and --width.
Result<Options> parse_options(std::span<const std::string> arguments,
                              const std::function<bool(std::string_view)>& is_command);

/// What `rpl --help` prints.
std::string_view usage_text();

}  // namespace rpl
