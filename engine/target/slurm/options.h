// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"

/// Jobs of a Slurm cluster that exists: its queues, its limits, its decisions. No scheduler of our own.
namespace rpl::cluster {

struct SlurmOptions {
  std::string account = {}, partition = {},
              time_limit =
                  {};  ///< "" leaves it to the cluster; time as Slurm writes it, "00:10:00"
  std::int64_t gpus_per_task = 0;       ///< 0: none is asked for
  std::vector<std::string> extra = {};  ///< further options of sbatch and srun
  std::string program = {};             ///< this program, as the nodes find it
  std::int64_t poll_ms = 2000;          ///< between two looks at the queue
  std::int64_t requeues = 3;  ///< how often what was lost is run again before it counts as failed
};
Record to_record(const SlurmOptions& options);
/// Fails with corrupt.
Result<SlurmOptions> slurm_options_from(const Record& record);

/// What srun and sbatch have in common: account, partition, time, tasks and their GPUs, then `extra`, which so has the last word.
void add_resources(const SlurmOptions& options, std::size_t tasks, std::vector<std::string>& line);

/// Whether this program of Slurm runs here: "srun". Fails with missing_capability.
Status needs(const char* program);

/// `said` is what srun or sbatch wrote on stderr. Fails with io where that is that there will be no job: another try would end the same.
Status check_taken(std::string_view said);

/// How Slurm says that a job ran into its limit, on srun's stderr and in the job's log.
inline constexpr std::string_view kTimeLimitWords = "DUE TO TIME LIMIT";

/// Sleeps for SlurmOptions::poll_ms, shorter after a Ctrl-C.
void wait_a_while(const SlurmOptions& options);

}  // namespace rpl::cluster
