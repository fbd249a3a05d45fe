// SPDX-License-Identifier: MIT
#pragma once

#include "shell/server/runner.h"

namespace rpl {

/// `--interpreter jsonl`: one request a line in, replies a line each out, until the input ends, `quit`, or a signal ends the process. Requests run one after the
/// other in their order; a cancel is heard while one runs. To be called in the thread that signals stop. Returns the exit status of the program.
int run_jsonl(Context& context, Runner& runner, Streams& streams);

}  // namespace rpl
