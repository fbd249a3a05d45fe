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
#include "shell/core/session/known_sessions.h"

namespace rpl {
namespace {

struct TargetArgs {
  std::string target;
  std::optional<std::string> account, partition, time_limit, extra, runs;
  std::optional<std::int64_t> gpus_per_task;
};

Status take_options(Settings& settings, const TargetArgs& args) {
  const auto set = [&](const char* name, const auto& value) -> Status {
    return value ? settings.set(name, Value(*value)) : Status();
  };
  TRY(set("slurm account", args.account));
  TRY(set("slurm partition", args.partition));
  TRY(set("slurm time-limit", args.time_limit));
  TRY(set("slurm extra", args.extra));
  TRY(set("slurm runs", args.runs));
  TRY(set("slurm gpus-per-task", args.gpus_per_task));
  return {};
}

struct Partition {
  std::string name, state, nodes, nodes_state;
};

constexpr auto kPartitionColumns = bound_to<Partition>(
    column<&Partition::name>("partition", "of the cluster; * is its default"),
    column<&Partition::state>("state", "up or down"),
    column<&Partition::nodes>("nodes", "how many"),
    column<&Partition::nodes_state>("nodes_state", "idle, mixed, allocated, down …"));

struct SetTarget {
  std::string target;
};

constexpr auto kTargetFields = bound_to<SetTarget>(
    column<&SetTarget::target>("target", "auto, emu, local, recorded or slurm"));

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
  std::vector<Partition> partitions;
  std::string_view rest = exit->out.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    Partition& row = partitions.emplace_back();
    for (std::string* cell : {&row.name, &row.state, &row.nodes, &row.nodes_state}) {
      const std::size_t bar = std::min(line.find('|'), line.size());
      *cell = line.substr(0, bar);
      line.remove_prefix(std::min(bar + 1, line.size()));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out.table(kPartitionColumns, partitions);
  return {};
}

Result<Document> run_target(const TargetArgs& args, Settings& settings) {
  Document out;
  TRY(take_options(settings, args));
  if (args.target == "slurm") TRY(add_partitions(out));
  if (!args.target.empty()) TRY(settings.set("target", Value(args.target)));
  out.put(kTargetFields, SetTarget{settings.text("target")});
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

Record configuration_of(const tune::NodeResult& found) {
  return found.space.configuration(found.evaluation.point);
}

constexpr auto kEvaluateFields = bound_to<tune::NodeResult>(
    column<&configuration_of>("configuration", "its parameters"),
    column<&tune::NodeResult::evaluation, &tune::state_of>("state", "ok or failed"),
    column<&tune::NodeResult::evaluation, &tune::Evaluation::time_ns>(
        "time_ns", "median of its runs; null when it failed"),
    column<&tune::NodeResult::evaluation, &tune::Evaluation::time_source>(
        "time_source", "modelled, measured, host or program")
        .or_null(),
    column<&tune::NodeResult::evaluation, &tune::Evaluation::stage>("stage", "where it failed")
        .or_null(),
    column<&tune::NodeResult::evaluation, &tune::Evaluation::reason>("reason", "why").or_null());

Result<Document> run_evaluate(const EvaluateArgs& args, Inputs inputs) {
  tune::NodeTask task{.folder = std::filesystem::absolute(args.folder).lexically_normal().string(),
                      .batch = args.batch,
                      .keep = args.keep,
                      .confirmation = args.confirmation,
                      .target_of = tuning_target(inputs)};
  if (task.folder.ends_with('/')) task.folder.pop_back();
  // What a session holds is run there: on a node of a cluster as at home.
  TRY(check_own_session(std::filesystem::path(task.folder).parent_path().parent_path().string()));
  if (args.point) task.point = static_cast<std::size_t>(*args.point);
  const tune::NodeResult found = TRY(tune::evaluate_on_node(task));
  Document out;
  out.put(kEvaluateFields, found);
  out.provenance =
      found.evaluation.time_source == "modelled" ? Provenance::modelled : Provenance::measured;
  return out;
}

}  // namespace

void add_target_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "target",
                  .does = kKeeps,
                  .may = {Capability::run},
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
                  .fields = described(kTargetFields),
                  .columns = described(kPartitionColumns),
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
                  .does = {Capability::read, Capability::session, Capability::run},
                  .chapter = Class::tuning,
                  .summary = "Evaluate one configuration of a tuning's folder.",
                  .help = "What jobs of a cluster run; by hand it shows why a configuration fails.",
                  .fields = described(kEvaluateFields),
                  .scalar = "time_ns",
                  .examples = {"tune evaluate TUNING --point 2"}},
          {arg("folder", &EvaluateArgs::folder, "tunings/nN of a session")
               .required()
               .completes(Complete::file),
           option("point", &EvaluateArgs::point, "number of the configuration, from 0")
               .in(at_least(0)),
           option("batch", &EvaluateArgs::batch,
                  "of a job array: SLURM_ARRAY_TASK_ID says which of it")
               .in(at_least(0)),
           option("confirmation", &EvaluateArgs::confirmation,
                  "the batch measures winner and default again; 0: it evaluates")
               .in(at_least(0)),
           flag("keep", &EvaluateArgs::keep, "write the result where the tuning looks for it")},
          run_evaluate));
}

}  // namespace rpl
