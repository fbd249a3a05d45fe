// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "shell/server/protocol/line_splitter.h"
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

}  // namespace rpl
