// SPDX-License-Identifier: MIT
#pragma once

#include "shell/core/command/registry.h"

namespace rpl {

/// Adds every built-in command. shell/commands/CMakeLists.txt writes it: it calls each function
/// `void add_…_command(Registry&)` or `…_commands(Registry&)` that a source of a family defines.
void add_all_commands(Registry& registry);

}  // namespace rpl
