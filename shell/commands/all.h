// SPDX-License-Identifier: MIT
#pragma once

#include "shell/command/registry.h"

namespace rpl {

/// Adds every built-in command and alias. The one list of families; a new family adds its line in all.cc.
void add_all_commands(Registry& registry);

}  // namespace rpl
