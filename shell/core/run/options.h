// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/policy.h"
#include "shell/core/command/line.h"

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
  bool no_color = false, mangled = false, version = false, help = false;
  bool full_screen = false;  ///< --tui
  Format format = Format::text;
  std::string session, target, interpreter = "console";
  std::string tools = "core";              ///< of --interpreter mcp: core, all
  bool mcp_text = false;                   ///< its replies are text alone
  std::string stubs;                       ///< the folder for --emit-lua-stubs
  std::string completion;                  ///< the shell of --emit-completion
  bool man = false;                        ///< --emit-man
  std::string complete;                    ///< the line of --complete; empty: not asked
  std::size_t width = 0;                   ///< 0: ask the terminal
  bool one_shot = false;                   ///< `words` is a command
  Capabilities allowed = {};               ///< --allow: what the session may beyond its kind
  std::vector<std::string> writable = {};  ///< --allow write DIR: absolute
  std::vector<std::string> readable = {};  ///< --allow read DIR: absolute
  bool restricted = false;                 ///< --restricted: as what an agent drives

  /// What a session that another program drives may do: to look, to keep, and what was allowed.
  [[nodiscard]] Policy policy() const;
};

/// One option of the program itself. Parsing, `rpl --help`, the manual page and completion read the same table.
struct ProgramOption {
  /// What can be completed in its value's place.
  enum class Takes { nothing, command, script, folder, number, choice, text };

  std::string_view name;        ///< "-ex"
  std::string_view other = {};  ///< a second spelling: "--ex"
  std::string_view third = {};
  std::string_view value = {};  ///< "COMMAND" in usage lines; empty: a flag
  std::string_view help = {};   ///< what it does, without a final period
  Takes takes = Takes::nothing;
  std::vector<std::string_view> choices = {};
  bool anywhere = false;  ///< may also stand behind a command
  bool hidden = false;    ///< for other programs: not listed
  Status (*set)(Options& options, const std::string& value) = nullptr;

  [[nodiscard]] bool is_named(std::string_view word) const {
    return word == name || (!other.empty() && word == other) || (!third.empty() && word == third);
  }
};

/// All of them, in the order in which they are listed.
std::span<const ProgramOption> program_options();

/// The one that is spelled so; null: none.
const ProgramOption* program_option(std::string_view word);

/// What the program ends with, and when: "0", "ok".
struct ExitStatus {
  int status = 0;
  std::string_view meaning;
};
std::span<const ExitStatus> exit_statuses();

/// Reads argv without argv[0]. `is_command` says whether a first word names a command; from there on every word belongs to it
/// except the program's own options that may stand anywhere.
Result<Options> parse_options(std::span<const std::string> arguments,
                              const std::function<bool(std::string_view)>& is_command);

/// What `rpl --help` prints.
std::string usage_text();

}  // namespace rpl
