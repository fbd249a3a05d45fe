// SPDX-License-Identifier: MIT
#include "engine/tune/run/slurm.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/base/files.h"
#include "engine/base/scratch_folder.h"
#include "engine/base/sha256.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"
#include "engine/process/run.h"
#include "engine/tune/run/evaluator.h"
#include "engine/tune/run/slurm_files.h"

namespace rpl::tune {
namespace {

class SlurmExecutor : public Executor {
 public:
  SlurmExecutor(const Tuning& tuning, SlurmOptions options)
      : tuning_(tuning),
        options_(std::move(options)),
        files_(tuning.folder),
        arrays_(options_, files_,
                {.name = job_name(tuning),
                 .cwd = tuning.plan.work.cwd,
                 .command = {options_.program, "tune", "evaluate", tuning.folder}}) {}

  Status prepare() {
    for (const char* program : {"squeue", "sbatch", "srun"}) TRY(cluster::needs(program));
    TRY(arrays_.load());
    return write_file(tuning_.folder + "/work.json", to_json(to_value(tuning_.plan.work)) + "\n");
  }

  Status evaluate(std::span<const std::size_t> points, const Finished& finished) override {
    if (points.size() == 1 && tuning_.plan.batch == 1) return evaluate_now(points[0], finished);
    return arrays_.run(
        points,
        [&](std::size_t point, std::int64_t times) -> Result<bool> {
          auto found = TRY(files_.result(point, tuning_.space));
          if (!found) return false;
          found->requeued += times - 1;
          TRY(finished(std::move(*found)));
          return true;
        },
        [&](const SlurmArrays::GivenUp& one) {
          return finished({.point = one.task,
                           .stage = one.out_of_time ? "time" : "lost",
                           .reason = reason_of(one),
                           .requeued = one.times - 1});
        });
  }

 private:
  /// One alone: srun waits for its place in the queue and for its end.
  Status evaluate_now(std::size_t point, const Finished& finished) {
    std::vector<std::string> line{"srun", "--quiet", "--job-name=" + job_name(tuning_),
                                  "--chdir=" + tuning_.plan.work.cwd};
    cluster::add_resources(options_, 1, line);
    for (const std::string& word :
         {options_.program, std::string("tune"), std::string("evaluate"), tuning_.folder,
          std::string("--point"), std::to_string(point), std::string("--keep")})
      line.push_back(word);
    std::string words;
    std::int64_t tried = 0;
    for (; tried <= options_.requeues; ++tried) {
      auto known = TRY(files_.result(point, tuning_.space));
      if (!known) {
        const Exit exit = TRY(run({.argv = line}));
        words = exit.err.text.substr(0, exit.err.text.find('\n'));
        known = TRY(files_.result(point, tuning_.space));
        if (!known) TRY(cluster::check_taken(exit.err.text));
        if (!known && exit.err.text.find(cluster::kTimeLimitWords) != std::string::npos) break;
      }
      if (!known) continue;
      known->requeued += tried;
      return finished(std::move(*known));
    }
    const bool out_of_time = tried <= options_.requeues;
    return finished({.point = point,
                     .stage = out_of_time ? "time" : "lost",
                     .reason = reason_of({.times = tried + (out_of_time ? 1 : 0), .words = words}),
                     .requeued = tried});
  }

  const Tuning& tuning_;
  SlurmOptions options_;
  SlurmFiles files_;
  SlurmArrays arrays_;
};

std::optional<std::int64_t> number_from(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::optional<std::int64_t>()
                         : std::optional<std::int64_t>(std::strtoll(text, nullptr, 10));
}

}  // namespace

std::string job_name(const Tuning& tuning) {
  constexpr std::size_t kDigits = 8;
  return fmt::format("rpl-{}-{}", sha256_hex(tuning.folder).substr(0, kDigits), tuning.id());
}

std::string reason_of(const SlurmArrays::GivenUp& one) {
  return fmt::format("its job ended {} {} without a result{}", one.times,
                     one.times == 1 ? "time" : "times", one.words.empty() ? "" : ": " + one.words);
}

Result<std::size_t> task_of_batch(const SlurmFiles& files, std::int64_t batch) {
  const auto tasks = TRY(files.points_of(batch));
  const auto number = number_from("SLURM_ARRAY_TASK_ID");
  if (!number || *number < 0 || static_cast<std::size_t>(*number) >= tasks.size())
    return fail(Errc::usage, "SLURM_ARRAY_TASK_ID names no task of the batch",
                "this command is for jobs that rpl submits");
  return tasks[static_cast<std::size_t>(*number)];
}

std::vector<std::string> sbatch_line(const SlurmOptions& options, const std::string& name,
                                     std::size_t count, const std::string& log,
                                     const std::string& script, const std::string& cwd) {
  std::vector<std::string> line{"sbatch",
                                "--parsable",
                                "--requeue",
                                "--job-name=" + name,
                                fmt::format("--array=0-{}", count - 1),
                                "--output=" + log + "%A_%a.txt"};
  if (!cwd.empty()) line.push_back("--chdir=" + cwd);
  cluster::add_resources(options, 1, line);
  line.push_back(script);
  return line;
}

Result<std::unique_ptr<Executor>> make_slurm_executor(const Tuning& tuning,
                                                      const SlurmOptions& options) {
  auto out = std::make_unique<SlurmExecutor>(tuning, options);
  TRY(out->prepare());
  return out;
}

Result<NodeResult> evaluate_on_node(const NodeTask& task) {
  const SlurmFiles files(task.folder);
  NodeResult out {
    .space = TRY(Space::parse(TRY(read_text_file(task.folder + "/space.json"))))
    , .evaluation = {}
  };
  const Work work =
      TRY(work_from(TRY(parse_json(TRY(read_text_file(task.folder + "/work.json"))))));
  TRY(check_work(work, out.space));
  if (task.confirmation > 0) {
    out.evaluation = TRY(
        confirm_on_node(task.folder, task.confirmation, task.batch, out.space, work, task.models));
    return out;
  }
  std::optional<std::size_t> point = task.point;
  if (task.batch > 0) point = TRY(task_of_batch(files, task.batch));
  if (!point || *point >= out.space.size())
    return fail(Errc::usage, "no configuration of the space is named", "--point N");
  // Several tasks of one node build side by side, and nothing of it has to be shared.
  const ScratchFolder scratch = TRY(ScratchFolder::make("evaluate"));
  const auto evaluator =
      TRY(make_evaluator(out.space, work, {.folder = scratch.path(), .models = task.models}));
  out.evaluation = TRY(evaluator->evaluate(*point));
  out.evaluation.requeued = number_from("SLURM_RESTART_COUNT").value_or(0);
  if (const char* node = std::getenv("SLURMD_NODENAME"))
    out.evaluation.facts.emplace_back("node", Value(node));
  if (task.batch > 0 || task.keep) TRY(files.write_result(out.evaluation, out.space));
  return out;
}

}  // namespace rpl::tune
