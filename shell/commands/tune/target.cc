// SPDX-License-Identifier: MIT
// target: where things run by default. tune evaluate: what a job of a cluster runs.
#include <fmt/format.h>

#include <filesystem>

#include "engine/process/run.h"
#include "engine/target/traits.h"
#include "engine/tune/run/slurm.h"
#include "shell/commands/tune/tuning.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

struct TargetArgs {
  std::string target;
  std::optional<std::string> account, partition, time_limit, extra, runs;
  std::optional<std::int64_t> gpus_per_task;
};

Status take_options(Context& context, const TargetArgs& args) {
  const auto set = [&](const char* name, const auto& value) -> Status {
    return value ? context.settings().set(name, Value(*value)) : Status();
  };
  TRY(set("slurm account", args.account));
  TRY(set("slurm partition", args.partition));
  TRY(set("slurm time-limit", args.time_limit));
  TRY(set("slurm extra", args.extra));
  TRY(set("slurm runs", args.runs));
  TRY(set("slurm gpus-per-task", args.gpus_per_task));
  return {};
}

/// "debug*|up|2|idle" by line of sinfo.
Status add_partitions(Document& out) {
  const auto exit = run({.argv = {"sinfo", "--noheader", "--format=%P|%a|%D|%T"}});
  if (!exit)
    return fail(Errc::missing_capability, "there is no Slurm here: sinfo does not run",
                "run rpl on a login node of the cluster");
  if (!exit->ok())
    return fail(Errc::missing_capability,
                "the Slurm controller does not answer: " +
                    exit->err.text.substr(0, exit->err.text.find('\n')),
                "'sinfo' by hand shows all that it says");
  std::string_view rest = exit->out.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::vector<Value> row;
    std::string_view line = rest.substr(0, end);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t bar = std::min(line.find('|'), line.size());
      row.emplace_back(line.substr(0, bar));
      line.remove_prefix(std::min(bar + 1, line.size()));
    }
    out.rows.push_back(std::move(row));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<Document> run_target(Context& context, const TargetArgs& args) {
  Document out;
  TRY(take_options(context, args));
  if (args.target == "slurm") TRY(add_partitions(out));
  if (!args.target.empty()) TRY(context.settings().set("target", Value(args.target)));
  out.set("target", Value(context.settings().text("target")));
  out.next = {"info capabilities", "profile -- ./app"};
  return out;
}

/// The targets, and `auto` for what the machine has.
std::vector<Label> with_auto() {
  std::vector<Label> out = target_names();
  out.insert(out.begin(), "auto");
  return out;
}

struct EvaluateArgs {
  std::string folder;
  std::optional<std::int64_t> point;
  std::int64_t batch = 0, confirmation = 0;
  bool keep = false;
};

Result<Document> run_evaluate(Context& context, const EvaluateArgs& args) {
  if (args.point.value_or(0) < 0 || args.batch < 0 || args.confirmation < 0)
    return fail(Errc::usage, "--point, --batch and --confirmation take 0 or more");
  tune::NodeTask task{.folder = std::filesystem::absolute(args.folder).lexically_normal().string(),
                      .batch = args.batch,
                      .keep = args.keep,
                      .confirmation = args.confirmation,
                      .models = gpu_models(context)};
  if (task.folder.ends_with('/')) task.folder.pop_back();
  if (args.point) task.point = static_cast<std::size_t>(*args.point);
  const tune::NodeResult found = TRY(tune::evaluate_on_node(task));
  const tune::Evaluation& one = found.evaluation;
  Document out;
  out.set("configuration", Value(found.space.configuration(one.point)));
  out.set("state", Value(one.ok ? "ok" : "failed"));
  out.set("time_ns", Value(one.time_ns()));
  out.set("time_source", Value::known(one.time_source));
  out.set("stage", Value::known(one.stage));
  out.set("reason", Value::known(one.reason));
  out.provenance = one.time_source == "modelled" ? Provenance::modelled : Provenance::measured;
  return out;
}

}  // namespace

void add_target_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "target",
                  .chapter = Class::running,
                  .summary = "Say where commands run by default, and how jobs are asked for.",
                  .help = "`target slurm` makes jobs of a Slurm cluster of `autotune` (arrays of "
                          "tasks, or srun for one at a time) and of `profile` (srun, with "
                          "`--ranks`). It looks whether the "
                          "controller answers and shows the partitions. Options stay as settings "
                          "(`show slurm`). docs/slurm.md. Every command takes the target of its "
                          "own `--target`, else this one, else that of RPL_TARGET, else what the "
                          "machine has (`auto`); `show target` says which and why. What was asked "
                          "for and cannot do it is refused, not replaced.",
                  .fields = {{"target", Type::string, Unit::none,
                              "auto, emu, local, recorded or slurm"}},
                  .columns =
                      {{"partition", Type::string, Unit::none, "of the cluster; * is its default"},
                       {"state", Type::string, Unit::none, "up or down"},
                       {"nodes", Type::string, Unit::none, "how many"},
                       {"nodes_state", Type::string, Unit::none, "idle, mixed, allocated, down …"}},
                  .scalar = "target",
                  .examples = {"target emu"}},
          {arg("target", &TargetArgs::target, "where; default: show it").one_of(with_auto()),
           option("account", &TargetArgs::account, "of jobs"),
           option("partition", &TargetArgs::partition, "of jobs"),
           option("gpus-per-task", &TargetArgs::gpus_per_task, "GPUs of each evaluation"),
           option("time", &TargetArgs::time_limit, "limit of each job: 00:10:00"),
           option("runs", &TargetArgs::runs, "what runs at the nodes").one_of({"local", "emu"}),
           option("extra", &TargetArgs::extra, "further options of sbatch and srun, as one text")},
          run_target));
  add(registry,
      command(
          Command{.path = "tune evaluate",
                  .chapter = Class::tuning,
                  .summary = "Evaluate one configuration of a tuning's folder.",
                  .help = "What jobs of a cluster run; by hand it shows why a configuration fails.",
                  .fields = {{"configuration", Type::record, Unit::none, "its parameters"},
                             {"state", Type::string, Unit::none, "ok or failed"},
                             {"time_ns", Type::number, Unit::ns,
                              "median of its runs; null when it failed"},
                             {"time_source", Type::string, Unit::none,
                              "modelled, measured, host or program"},
                             {"stage", Type::string, Unit::none, "where it failed"},
                             {"reason", Type::string, Unit::none, "why"}},
                  .scalar = "time_ns",
                  .examples = {"tune evaluate TUNING --point 2"}},
          {arg("folder", &EvaluateArgs::folder, "tunings/nN of a session")
               .required()
               .completes(Complete::file),
           option("point", &EvaluateArgs::point, "number of the configuration, from 0"),
           option("batch", &EvaluateArgs::batch,
                  "of a job array: SLURM_ARRAY_TASK_ID says which of it"),
           option("confirmation", &EvaluateArgs::confirmation,
                  "the batch measures winner and default again; 0: it evaluates"),
           flag("keep", &EvaluateArgs::keep, "write the result where the tuning looks for it")},
          run_evaluate));
}

}  // namespace rpl
