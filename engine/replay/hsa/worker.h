// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

namespace rpl {

/// What the program is started with to replay in a process of its own: `rpl --replay-worker FOLDER`, and `fixed` behind it for addresses
/// that are not randomized.
inline constexpr const char* kWorkerOption = "--replay-worker";

/// Does what FOLDER/job.json says and writes FOLDER/result.json, whatever comes of it. First of all it keeps the addresses free; the HSA
/// runtime is opened after that. The exit status: 0 when a result was written.
int replay_worker(int argc, char** argv);

/// The same for a job in a folder, without anything that concerns the process.
Status work_on_replay(const std::string& folder);

}  // namespace rpl
