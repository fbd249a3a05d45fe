// SPDX-License-Identifier: MIT
#include "engine/tune/run/slurm.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "engine/process/run.h"
#include "engine/tune/run/evaluator.h"

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
          auto found = TRY(result_of(files_, point, tuning_.space));
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
      auto known = TRY(result_of(files_, point, tuning_.space));
      if (!known) {
        const Exit exit = TRY(run({.argv = line}));
        words = exit.err.text.substr(0, exit.err.text.find('\n'));
        known = TRY(result_of(files_, point, tuning_.space));
        if (!known) TRY(cluster::check_taken(exit.err.text));
        if (!known && exit.err.text.find(cluster::kTimeLimitWords) != std::string::npos) break;
      }
      if (!known) continue;
      known->requeued += tried;
      return finished(std::move(*known));
    }
    const bool out_of_time = tried <= options_.requeues;
    return finished(
        {.point = point,
         .stage = out_of_time ? "time" : "lost",
         .reason = cluster::reason_of({.times = tried + (out_of_time ? 1 : 0), .words = words}),
         .requeued = tried});
  }

  const Tuning& tuning_;
  SlurmOptions options_;
  SlurmFiles files_;
  SlurmArrays arrays_;
};

}  // namespace

std::string job_name(const Tuning& tuning) {
  constexpr std::size_t kDigits = 8;
  return fmt::format("rpl-{}-{}", sha256_hex(tuning.folder).substr(0, kDigits), tuning.id());
}

Result<std::optional<Evaluation>> result_of(const SlurmFiles& files, std::size_t point,
                                            const Space& space) {
  const std::string path = files.result_path(point);
  const auto text = read_text_file(path);
  if (!text) return std::optional<Evaluation>();
  auto one = evaluation_from(TRY(parse_json(*text)), space);
  if (!one) return Failure(std::move(one).error().in(path));
  if (one->point != point) return fail(Errc::corrupt, path + " is of another configuration");
  return std::optional(std::move(*one));
}

Status write_result(const SlurmFiles& files, const Evaluation& evaluation, const Space& space) {
  return write_file(files.result_path(evaluation.point),
                    to_json(to_value(evaluation, space)) + "\n");
}

Result<std::unique_ptr<Executor>> make_slurm_executor(const Tuning& tuning,
                                                      const SlurmOptions& options) {
  auto out = std::make_unique<SlurmExecutor>(tuning, options);
  TRY(out->prepare());
  return out;
}

Result<NodeResult> evaluate_on_node(const NodeTask& task) {
  const SlurmFiles files(task.folder);
  NodeResult out{.space = TRY(Space::parse(TRY(read_text_file(task.folder + "/space.json")))),
                 .evaluation = {}};
  const Work work =
      TRY(work_from(TRY(parse_json(TRY(read_text_file(task.folder + "/work.json"))))));
  TRY(check_work(work, out.space));
  if (task.confirmation > 0) {
    out.evaluation = TRY(confirm_on_node(task.folder, task.confirmation, task.batch, out.space,
                                         work, task.target_of));
    return out;
  }
  std::optional<std::size_t> point = task.point;
  if (task.batch > 0) point = TRY(task_of_batch(files, task.batch));
  if (!point || *point >= out.space.size())
    return fail(Errc::usage, "no configuration of the space is named", "--point N");
  // Several tasks of one node build side by side, and nothing of it has to be shared.
  const ScratchFolder scratch = TRY(ScratchFolder::make("evaluate"));
  const auto target = TRY(task.target_of(work));
  const auto evaluator = TRY(make_evaluator(out.space, work, *target, scratch.path()));
  out.evaluation = TRY(evaluator->evaluate(*point));
  // Slurm ends all processes of a job at once: where the program was first, the job is to be run again and not to be told as failed.
  if (task.batch > 0 && out.evaluation.stopped)
    return fail(Errc::interrupted, "the job was ended while its program ran");
  out.evaluation.requeued = cluster::number_from("SLURM_RESTART_COUNT").value_or(0);
  if (const char* node = std::getenv("SLURMD_NODENAME"))
    out.evaluation.facts.emplace_back("node", Value(node));
  if (task.batch > 0 || task.keep) TRY(write_result(files, out.evaluation, out.space));
  return out;
}

}  // namespace rpl::tune
