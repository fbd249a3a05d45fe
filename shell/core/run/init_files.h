// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "shell/core/terminal/terminal.h"

namespace rpl {

class Context;

/// Reads one line from the person; nullopt when nobody answers.
using AskLine = std::function<std::optional<std::string>(const std::string& question)>;

/// Runs ~/.config/rpl/init.rpl and init.lua, then .rpl/init.rpl and .rpl/init.lua of the current folder if a person trusts their
/// content: at the prompt `ask` asks once (and `out` shows the content), otherwise they are skipped and a note names `trust`. A file that fails does not stop the start.
void run_init_files(Context& context, const AskLine& ask, const Sink& out);

}  // namespace rpl
