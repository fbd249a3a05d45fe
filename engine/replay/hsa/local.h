// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/replay/hsa/page_ranges.h"
#include "engine/replay/series.h"

namespace rpl {

struct LocalOptions {
  std::string program;  ///< path of one that knows kWorkerOption
  int attempts =
      4;  ///< processes until memory can be placed; from the second on without address randomization
};

/// On a GPU of this machine, in a process of its own: neither a crash nor a hang of the runtime reaches the caller, and its address space is
/// as empty as can be. ReplayPlan::folder must be set. Fails with denied and the list of conflicts when memory cannot lie where it lay,
/// timeout or io when the process does not come back, saying in which call it was, and as replay_on_hsa() does.
Result<ReplaySeries> replay_locally(const ReplayPlan& plan, const LocalOptions& options);

/// Whether the addresses of a capture can be had.
struct ReserveReport {
  std::vector<PageRange> ranges;         ///< all that it needs
  std::vector<PlaceConflict> conflicts;  ///< those that cannot be had
  int attempts = 1;                      ///< processes that were started
};
/// Takes them in a process of its own and gives them back. Fails for anything but conflicts.
Result<ReserveReport> reserve_check(const ReplayPlan& plan, const LocalOptions& options);

/// What the program is started with to replay in a process of its own: `rpl --replay-worker FOLDER`, and `fixed` behind it for addresses
/// that are not randomized.
inline constexpr const char* kWorkerOption = "--replay-worker";

/// Does what FOLDER/job.json says and writes FOLDER/result.json, whatever comes of it. First of all it keeps the addresses free; the HSA
/// runtime is opened after that. The exit status: 0 when a result was written.
int replay_worker(int argc, char** argv);

/// The same for a job in a folder, without anything that concerns the process.
Status work_on_replay(const std::string& folder);

}  // namespace rpl
