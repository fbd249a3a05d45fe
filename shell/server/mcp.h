// SPDX-License-Identifier: MIT
#pragma once

#include "shell/server/runner.h"

namespace rpl {

/// `--interpreter mcp`: a server of the Model Context Protocol (modelcontextprotocol.io/specification, revisions 2024-11-05 to 2025-11-25) on stdin and stdout whose
/// tools are the commands. Ends as run_jsonl() does. To be called in the thread that signals stop. Returns the exit status of the program.
int run_mcp(Context& context, Runner& runner, Streams& streams);

/// From now on this process and those that it starts write into sources only where `mcp approve` was set before. To be called once, after init files and -ex.
void guard_approval(const Context& context);

}  // namespace rpl
