// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/graph/application/rank_summary.h"
#include "engine/target/slurm/options.h"

/// Recordings of ranks, read where they lie: each task of a job array reads some, and what comes back are summaries.
namespace rpl::cluster {

struct Reduction {
  std::vector<std::string> recordings;  ///< absolute paths, on a file system that the nodes share
  std::size_t of_task = 8;              ///< how many recordings one task reads
  std::string session;                  ///< the folder of a session, absolute and shared likewise
  SlurmOptions options;
};

/// Where the jobs of this reduction write: RANKS/DIGITS of the session, whose digits are those of the recordings' paths, sizes and times. What was reduced once is
/// found again, and what was submitted before a crash is waited for and not submitted twice.
std::string folder_of(const Reduction& reduction);

/// The summaries of all of them, in their order. Fails with missing_capability without Slurm, with io where the cluster takes no job or a recording cannot be read
/// there, naming it, with corrupt where a summary is none, and with interrupted: the jobs go on then.
Result<std::vector<RecordingSummary>> reduce(const Reduction& reduction, const Monitor& monitor);

/// The summary of each, read one after the other.
Result<std::vector<RecordingSummary>> summaries_of(const std::vector<std::string>& recordings,
                                                   const Monitor& monitor);

/// On a node: reads the recordings of the task that SLURM_ARRAY_TASK_ID says, and writes their summaries, or why there are none, where reduce() looks for them.
/// Fails with usage, corrupt, io and interrupted.
Result<std::vector<RecordingSummary>> reduce_on_node(const std::string& folder, std::int64_t batch,
                                                     const Monitor& monitor);

}  // namespace rpl::cluster
