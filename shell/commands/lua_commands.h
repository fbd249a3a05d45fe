// SPDX-License-Identifier: MIT
#pragma once

#include "shell/command/registry.h"

namespace rpl {

/// lua, print, output, printf and source.
void add_lua_commands(Registry& registry);

}  // namespace rpl
