// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "shell/core/command/registry.h"

namespace rpl {

/// LuaLS annotations of the module `rpl`, its classes and every command of the registry: one Lua file without effects.
std::string lua_stubs(const Registry& registry);

/// Writes DIR/rpl.lua and DIR/.luarc.json, which tells the language server about it. Makes the folder.
Status write_lua_stubs(const Registry& registry, const std::string& folder);

}  // namespace rpl
