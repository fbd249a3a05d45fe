// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// What to do next, for who has tools and no prompt.
namespace rpl {

/// A line of the shell as the tool of the core that runs it, with its arguments: "critpath" is `critical_path {}`. A line that no tool is for, and what only a person
/// may do, is one of the tool `command`.
std::string step_for_agent(std::string_view line);

/// A hint whose lines of the shell that open or begin something are calls of tools. Other lines in quotes stay: they go into the tool `command`.
std::string hint_for_agent(std::string hint);

}  // namespace rpl
