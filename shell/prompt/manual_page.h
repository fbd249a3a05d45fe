// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shell/core/command/registry.h"

namespace rpl {

/// rpl(1), what `rpl --emit-man` prints: the program's options, every listed command with its usage and summary, exit statuses, files. In the man macros of roff
/// (groff's man(7)), ASCII alone.
std::string manual_page(const Registry& registry);

}  // namespace rpl
