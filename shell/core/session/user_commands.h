// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/document.h"

namespace rpl {

class Face;
class Registry;
struct Command;

/// The commands that a person made of other commands with `define` and explained with `document`. Each is an entry of the registry too.
class UserCommands {
 public:
  using Lines = std::vector<std::string>;

  /// Adds or replaces. One word of letters, digits, `-` and `_`; denied for the name of a built-in command.
  Status define(Registry& registry, const std::string& name, Lines body);
  /// Gives `help NAME` its text, now or once it is defined; the first line is the summary.
  Status document(Registry& registry, const std::string& name, Lines lines);
  /// The bodies by name.
  [[nodiscard]] const std::map<std::string, Lines, std::less<>>& all() const { return bodies_; }

  /// Runs the body with `arguments` (the rest of the line) in place of $arg0, $arg1, …, $argc and $argn.
  Result<Document> run(Face& face, const std::string& name, std::string_view arguments);
  /// Runs `hook-NAME` or `hookpost-NAME` of a command if there is one; blanks of the command's path are dashes. A hook does not
  /// run again inside itself. Gives the exit status of its last line, 0 without a hook.
  int run_hook(Face& face, std::string_view prefix, const Command& command);

 private:
  Status enter(Registry& registry, const std::string& name);

  std::map<std::string, Lines, std::less<>> bodies_, documentation_;
  std::set<std::string, std::less<>> running_hooks_;
  std::size_t depth_ = 0;
};

/// `line` with $arg0 … $argN, $argc (how many) and $argn (all, as typed) replaced. Fails with usage for one that was not given.
Result<std::string> substitute_arguments(std::string_view line,
                                         const std::vector<std::string>& words,
                                         std::string_view as_typed);

}  // namespace rpl
