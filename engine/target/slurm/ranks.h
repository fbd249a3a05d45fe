// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/process/run.h"
#include "engine/target/slurm/options.h"

/// One job whose tasks are the ranks of a program, each under `rpl profile` in a folder of its own.
namespace rpl::cluster {

struct RanksRequest {
  SlurmOptions options;
  std::string name;  ///< of the job
  std::size_t ranks = 1;
  std::string folder;    ///< absolute, on a file system that the nodes share; made
  std::string cwd = {};  ///< where ranks run
  std::vector<std::string>
      words;  ///< of `profile` in each rank: its options, "--", the program and its arguments
  std::function<void(OutputStream, std::string_view)> on_line =
      {};  ///< what ranks print, with "N: " before it where there are several
};

/// What one rank left in FOLDER/rank_N, or FOLDER/again_K/rank_N of the job that was run again.
struct Rank {
  std::size_t number = 0;
  std::string folder = {}, node = {}, job = {};  ///< node and job "" when it never began
  Value document =
      {};  ///< of its `profile`, or rpl.error/1; null when it ended without one, or was ended from outside
  [[nodiscard]] bool failed_itself() const;  ///< an error, or a program that did not end with 0
  [[nodiscard]] bool lost() const { return document.is_null(); }
};

struct RanksOutcome {
  std::vector<Rank> ranks;    ///< by number
  std::int64_t requeued = 0;  ///< how often the job was run again
  bool out_of_time = false;   ///< the cluster ended it at its time limit
  std::string said;           ///< the last line of srun when ranks were lost; ""
};

/// The command line of srun for the job that was run again so often.
std::vector<std::string> srun_line(const RanksRequest& request, std::int64_t requeued);

/// Runs them under srun, which waits for its place in the queue. A job that ended with ranks lost (cancelled, a node gone) is run again as a whole, for the ranks
/// of a program need each other; not where a rank failed by itself or time was over. What a lost job has written stays; what srun said is in FOLDER/srun.txt.
/// Fails with missing_capability without srun, with io when the cluster refuses the job, and with interrupted, after which the job is gone.
Result<RanksOutcome> run_ranks(const RanksRequest& request);

}  // namespace rpl::cluster
