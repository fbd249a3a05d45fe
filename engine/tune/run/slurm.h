// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/target/slurm/job_arrays.h"
#include "engine/tune/run/executors.h"
#include "engine/tune/run/tuning.h"

/// Tuning through a Slurm cluster that exists: its queues, its limits, its decisions. No scheduler of our own.
namespace rpl::tune {

using cluster::SlurmArrays;
using cluster::SlurmFiles;
using cluster::SlurmOptions;

/// Several configurations at once are a job array, one alone runs under srun. A task writes its result as a file of the tuning's folder, which the nodes
/// must share with this machine. What ended without one (cancelled, its node lost) is submitted again and counted; what ran into the time limit has failed.
/// What was submitted before this process began is waited for, not submitted twice. Fails with missing_capability where sbatch, srun or squeue is missing, and, when
/// it measures, with io where the cluster refuses the job.
Result<std::unique_ptr<Executor>> make_slurm_executor(const Tuning& tuning,
                                                      const SlurmOptions& options);

/// confirm() as a job array of so many tasks, each a process that measures both sides on one node. One that was killed is gone on with, a finished one never used again.
/// Fails with undecided where a task has no result or one of the two does not run any more, and as SlurmArrays::run() does.
Result<Confirmation> confirm_on_slurm(const Tuning& tuning, const SlurmOptions& options,
                                      std::size_t winner, std::int64_t processes,
                                      const DecisionRule& rule);

/// How its jobs are called: unique among all tunings of all sessions that share the cluster.
std::string job_name(const Tuning& tuning);
/// What a task wrote about a configuration; none while there is no result. Fails with corrupt.
Result<std::optional<Evaluation>> result_of(const SlurmFiles& files, std::size_t point,
                                            const Space& space);
Status write_result(const SlurmFiles& files, const Evaluation& evaluation, const Space& space);

/// On a node: one process of confirmation `number`, written where confirm_on_slurm() looks for it. The winner's evaluation. Fails as Evaluator::evaluate does.
Result<Evaluation> confirm_on_node(const std::string& tuning_folder, std::int64_t number,
                                   std::int64_t batch, const Space& space, const Work& work,
                                   const TargetOf& target_of);

/// On a node: evaluates the configuration of a tuning's folder that `point` says, or that line of batch `batch` which SLURM_ARRAY_TASK_ID says, and writes the
/// result where the executor looks for it (a batch, or `keep`). Fails as Evaluator::evaluate does.
struct NodeTask {
  std::string folder;
  std::optional<std::size_t> point = {};
  std::int64_t batch = 0;  ///< 0: none
  bool keep = false;
  std::int64_t confirmation = 0;  ///< the batch is of this confirmation; 0: of evaluations
  TargetOf target_of = {};
};
struct NodeResult {
  Space space;
  Evaluation evaluation;
};
Result<NodeResult> evaluate_on_node(const NodeTask& task);

}  // namespace rpl::tune
