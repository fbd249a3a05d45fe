// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/target/slurm/options.h"
#include "engine/tune/run/executors.h"
#include "engine/tune/run/slurm_arrays.h"
#include "engine/tune/run/tuning.h"

/// Tuning through a Slurm cluster that exists: its queues, its limits, its decisions. No scheduler of our own.
namespace rpl::tune {

using cluster::SlurmOptions;

/// The command line of a job array of `count` tasks, whose logs are LOG and the numbers of job and task.
std::vector<std::string> sbatch_line(const SlurmOptions& options, const std::string& name,
                                     std::size_t count, const std::string& log,
                                     const std::string& script, const std::string& cwd);

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
/// "its job ended 4 times without a result: …".
std::string reason_of(const SlurmArrays::GivenUp& one);

/// The task of a batch that SLURM_ARRAY_TASK_ID says. Fails with usage, and as SlurmFiles::points_of().
Result<std::size_t> task_of_batch(const SlurmFiles& files, std::int64_t batch);
/// On a node: one process of confirmation `number`, written where confirm_on_slurm() looks for it. The winner's evaluation. Fails as Evaluator::evaluate does.
Result<Evaluation> confirm_on_node(const std::string& tuning_folder, std::int64_t number,
                                   std::int64_t batch, const Space& space, const Work& work,
                                   const GpuModels& models);

/// On a node: evaluates the configuration of a tuning's folder that `point` says, or that line of batch `batch` which SLURM_ARRAY_TASK_ID says, and writes the
/// result where the executor looks for it (a batch, or `keep`). Fails as Evaluator::evaluate does.
struct NodeTask {
  std::string folder;
  std::optional<std::size_t> point = {};
  std::int64_t batch = 0;  ///< 0: none
  bool keep = false;
  std::int64_t confirmation = 0;  ///< the batch is of this confirmation; 0: of evaluations
  GpuModels models = {};          ///< as EvaluatorOptions::models
};
struct NodeResult {
  Space space;
  Evaluation evaluation;
};
Result<NodeResult> evaluate_on_node(const NodeTask& task);

}  // namespace rpl::tune
