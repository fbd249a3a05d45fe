// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include "engine/base/result.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/script_host.h"

namespace rpl {

class Context;

/// Lua as the script language of `context`. Costs nothing until a script or expression is run: the interpreter is made then.
std::unique_ptr<ScriptHost> make_script_host(Context& context);

/// Replaces `$name`, `$3`, `$`, `$$`, `$$2` outside strings and comments by `rpl.values["name"]`, so that what the shell calls a variable
/// can be read and assigned in Lua. The text keeps its lines.
std::string with_variables(std::string_view text);

/// Whether `text` (Lua as typed, variables allowed) is the beginning of something: an open block, bracket, string or operator. The
/// prompt then asks for another line.
bool is_incomplete_lua(std::string_view text);

/// LuaLS annotations of the module `rpl`, its classes and every command of the registry: one Lua file without effects.
std::string lua_stubs(const Registry& registry);

/// Writes DIR/rpl.lua and DIR/.luarc.json, which tells the language server about it. Makes the folder.
Status write_lua_stubs(const Registry& registry, const std::string& folder);

}  // namespace rpl
