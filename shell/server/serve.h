// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include "shell/server/protocol/line_splitter.h"
#include "shell/server/runner.h"
#include "shell/server/streams.h"
#include "shell/server/work_queue.h"

namespace rpl {

class Context;

/// What becomes of the reply to a request that was cancelled while it ran.
enum class AfterCancel { replied, silent };

/// Reads lines in a thread of its own, where `hear` may fill the queue, and runs what is in it in this one, until the input ends, `quit`, or a signal. Returns the exit
/// status of the program.
int serve(Context& context, Streams& streams, WorkQueue& queue, std::size_t longest_line,
          LineSplitter::Take hear, AfterCancel after_cancel);

/// `--interpreter jsonl`: one request a line in, replies a line each out, until the input ends, `quit`, or a signal ends the process. Requests run one after the
/// other in their order; a cancel is heard while one runs. To be called in the thread that signals stop. Returns the exit status of the program.
int run_jsonl(Context& context, Runner& runner, Streams& streams);

/// `--interpreter mcp`: a server of the Model Context Protocol (modelcontextprotocol.io/specification, revisions 2024-11-05 to 2025-11-25) on stdin and stdout whose
/// tools are the commands. Ends as run_jsonl() does. To be called in the thread that signals stop. Returns the exit status of the program.
int run_mcp(Context& context, Runner& runner, Streams& streams);

/// From now on this process and those that it starts write into sources only where `mcp approve` was set before. To be called once, after init files and -ex.
void guard_approval(const Context& context);

}  // namespace rpl
