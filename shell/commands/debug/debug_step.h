// SPDX-License-Identifier: MIT
#pragma once

#include "shell/commands/debug/debugging.h"

namespace rpl {

/// How far a command moves the kernel that is stopped.
enum class KernelStep { line, next_line, finish, go_on };

/// Does so, when a kernel is stopped; nothing otherwise, and the command is about the optimization.
std::optional<Document> stepped(Context& context, KernelStep step);

}  // namespace rpl
