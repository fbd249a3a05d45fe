// SPDX-License-Identifier: MIT
#include "shell/commands/all.h"

namespace rpl {

void add_all_commands(Registry& registry) { (void)registry; }

}  // namespace rpl
