// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "shell/commands/context.h"
#include "shell/interpreter/streams.h"
#include "shell/interpreter/work_queue.h"
#include "shell/protocol/line_splitter.h"

namespace rpl {

/// What becomes of the reply to a request that was cancelled while it ran.
enum class AfterCancel { replied, silent };

/// Reads lines in a thread of its own, where `hear` may fill the queue, and runs what is in it in this one, until the input ends, `quit`, or a signal. Returns the exit
/// status of the program.
int serve(Context& context, Streams& streams, WorkQueue& queue, std::size_t longest_line,
          LineSplitter::Take hear, AfterCancel after_cancel);

}  // namespace rpl
