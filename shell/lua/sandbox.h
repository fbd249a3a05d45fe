// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

struct lua_State;

namespace rpl {

/// Opens the standard libraries without what would load native code, end the process or defeat the interpreter's own checks, and
/// makes globals strict. Not a security boundary: scripts have io and os. Called protected, without arguments.
int open_sandbox(lua_State* thread);

/// The table whose assignments make globals: what code typed at the prompt has as _ENV.
void push_prompt_environment(lua_State* thread);

/// Sets package.path to the folder of the script that starts, then script_folders().
void set_module_path(lua_State* thread, const std::string& folder);

}  // namespace rpl
