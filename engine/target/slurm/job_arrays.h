// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/target/slurm/options.h"

/// The files through which a tuning and its jobs know of each other: all that either needs after a crash.
namespace rpl::cluster {

class SlurmFiles {
 public:
  /// Below the tuning's folder: slurm/batches, results, logs.
  explicit SlurmFiles(const std::string& tuning_folder) : folder_(tuning_folder + "/slurm") {}
  [[nodiscard]] Status make() const;

  [[nodiscard]] std::string result_path(std::size_t point) const;
  [[nodiscard]] std::string script_path(std::int64_t batch) const;
  [[nodiscard]] std::string log_folder() const { return folder_ + "/logs"; }
  /// The batches that were written, ascending.
  [[nodiscard]] std::vector<std::int64_t> batches() const;
  /// Points by task number. Fails with not_found and corrupt.
  [[nodiscard]] Result<std::vector<std::size_t>> points_of(std::int64_t batch) const;
  Status write_batch(std::int64_t batch, const std::vector<std::size_t>& points) const;
  /// The last line that a task of a batch printed; "" when nothing is there. The log is named after job and task, so all of the batch are looked at.
  [[nodiscard]] std::string last_words(std::int64_t batch, std::size_t task) const;

 private:
  std::string folder_;
};

/// Numbered tasks as job arrays: submitted, waited for, submitted again when they are lost, found again after a crash.
class SlurmArrays {
 public:
  /// What a task is: `command` and the options --batch B, in `cwd`. Jobs are called NAME-bB; the name is unique among all who share the cluster.
  struct Job {
    std::string name, cwd;
    std::vector<std::string> command;
  };
  /// A task that will have no result.
  struct GivenUp {
    std::size_t task = 0;
    std::int64_t times = 0;    ///< it was submitted
    bool out_of_time = false;  ///< else it was lost more often than is allowed
    std::string words;         ///< its last ones; ""
  };
  /// Takes the result of a task that was submitted so often, if there is one.
  using Collect = std::function<Result<bool>(std::size_t task, std::int64_t times)>;
  using GiveUp = std::function<Status(const GivenUp&)>;

  SlurmArrays(SlurmOptions options, SlurmFiles files, Job job)
      : options_(std::move(options)), files_(std::move(files)), job_(std::move(job)) {}

  /// Makes the folders and reads what was submitted before this process began: it is waited for, not submitted twice.
  Status load();
  /// Until each task was collected or given up. Fails with interrupted; its jobs go on then. Fails with io where the cluster takes no job.
  Status run(std::span<const std::size_t> tasks, const Collect& collect, const GiveUp& give_up);

 private:
  /// Where a task is: the last batch that has it, and how many have had it.
  struct Submission {
    std::int64_t batch = 0;
    std::size_t place = 0;  ///< in the batch
    std::int64_t times = 0;
    int missed = 0;  ///< looks at the queue since it was last there
  };
  using Places = std::set<std::pair<std::int64_t, std::size_t>>;  ///< batch and place

  void note_submission(std::size_t task, std::int64_t batch, std::size_t place);
  [[nodiscard]] std::string name_of(std::int64_t batch) const;
  Status submit(const std::vector<std::size_t>& tasks);
  std::optional<Places> active(const std::set<std::size_t>& open);
  Status collect_into(std::set<std::size_t>& open, const Collect& collect);
  Status submit_lost(std::set<std::size_t>& open, const Places& active, const GiveUp& give_up);

  SlurmOptions options_;
  SlurmFiles files_;
  Job job_;
  std::map<std::size_t, Submission> submissions_;  ///< by task
  std::int64_t last_batch_ = 0;
};

/// "its job ended 4 times without a result: …".
std::string reason_of(const SlurmArrays::GivenUp& one);

/// The command line of a job array of `count` tasks, whose logs are LOG and the numbers of job and task.
std::vector<std::string> sbatch_line(const SlurmOptions& options, const std::string& name,
                                     std::size_t count, const std::string& log,
                                     const std::string& script, const std::string& cwd);

/// On a node: the task of a batch that SLURM_ARRAY_TASK_ID says. Fails with usage, and as SlurmFiles::points_of().
Result<std::size_t> task_of_batch(const SlurmFiles& files, std::int64_t batch);
/// A variable of the environment that is a number.
std::optional<std::int64_t> number_from(const char* name);

}  // namespace rpl::cluster
