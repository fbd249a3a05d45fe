// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "shell/lua/bind.h"

namespace rpl {

/// Makes the module `rpl` (a global, and what require "rpl" gives), the classes it hands out, and a print that writes where results
/// go. Called once on a fresh state.
void open_module(lua_State* thread);

/// `rpl` and the tables in it (rpl.json, rpl.ui, …), described like classes.
std::span<const ClassBinding* const> all_modules();

/// Pushes the one object of a module.
void push_module(lua_State* thread, const ClassBinding& binding);

extern const ClassBinding kModule, kUiModule, kJsonModule, kParamModule, kEnvModule, kValuesModule,
    kDebugModule, kDebugNames;

/// string.format over the arguments from `first`.
std::string formatted(lua_State* thread, int first);

}  // namespace rpl
