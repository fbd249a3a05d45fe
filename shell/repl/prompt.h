// SPDX-License-Identifier: MIT
#pragma once

#include "shell/repl/console.h"

namespace rpl {

/// Reads lines until the end of input or `quit`: with readline and history when a person is there, plainly otherwise.
/// Returns the exit status of the program.
int run_prompt(Context& context, Console& console);

}  // namespace rpl
