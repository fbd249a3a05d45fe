// SPDX-License-Identifier: MIT
// The winner against the default again, as tasks of a job array: one task is one process of the decision rule and measures both sides on its node, for two
// nodes are not equally fast.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "engine/optimize/measure/samples.h"
#include "engine/tune/run/slurm.h"

namespace rpl::tune {
namespace {

struct Pair {
  std::size_t default_point = 0, winner = 0;
};

std::string confirm_folder(const std::string& tuning_folder, std::int64_t number) {
  return fmt::format("{}/confirm_{}", tuning_folder, number);
}

Result<Pair> read_pair(const std::string& folder) {
  const Value value = TRY(parse_json(TRY(read_text_file(folder + "/pair.json"))));
  const auto point = [&](const char* name) {
    const Value* found = value.find(name);
    const auto* number = found == nullptr ? nullptr : found->as<std::int64_t>();
    return number == nullptr || *number < 0 ? std::optional<std::size_t>()
                                            : std::optional(static_cast<std::size_t>(*number));
  };
  const auto first = point("default"), second = point("winner");
  if (!first || !second)
    return fail(Errc::corrupt, folder + "/pair.json names no two configurations");
  return Pair{*first, *second};
}

/// The one that was begun for this pair and not finished, or the next: a finished one is never taken for another.
Result<std::int64_t> begin_confirmation(const std::string& tuning_folder, const Pair& pair) {
  for (std::int64_t number = 1;; ++number) {
    const std::string folder = confirm_folder(tuning_folder, number);
    std::error_code ignored;
    if (!std::filesystem::exists(folder + "/pair.json", ignored)) {
      TRY(make_folder(folder));
      TRY(write_file(folder + "/pair.json",
                     to_json(Value(Record{{"default", Value(std::uint64_t{pair.default_point})},
                                          {"winner", Value(std::uint64_t{pair.winner})}})) +
                         "\n"));
      return number;
    }
    if (std::filesystem::exists(folder + "/decided.json", ignored)) continue;
    const Pair begun = TRY(read_pair(folder));
    if (begun.default_point == pair.default_point && begun.winner == pair.winner) return number;
  }
}

struct ProcessResult {
  MeasuredProcess blocks;
  std::optional<double> model_band;
};

/// None while there is none.
Result<std::optional<ProcessResult>> process_result(const SlurmFiles& files, std::size_t process) {
  const auto text = read_text_file(files.result_path(process));
  if (!text) return std::optional<ProcessResult>();
  const Value value = TRY(parse_json(*text));
  if (const Value* reason = value.find("failed");
      reason != nullptr && reason->as<std::string>() != nullptr)
    return fail(Errc::undecided, *reason->as<std::string>());
  const Value* blocks = value.find("blocks");
  const Value* band = value.find("model_band");
  return std::optional(ProcessResult{
      .blocks =
          TRY(process_from(blocks == nullptr ? Value() : *blocks, files.result_path(process))),
      .model_band = band == nullptr ? std::nullopt : band->number()});
}

}  // namespace

Result<Confirmation> confirm_on_slurm(const Tuning& tuning, const SlurmOptions& options,
                                      std::size_t winner, std::int64_t processes,
                                      const DecisionRule& rule) {
  const bool deterministic = is_deterministic(tuning.plan.work);
  const std::int64_t number =
      TRY(begin_confirmation(tuning.folder, {tuning.space.default_point(), winner}));
  const SlurmFiles files(confirm_folder(tuning.folder, number));
  SlurmArrays arrays(options, files,
                     {.name = fmt::format("{}-c{}", job_name(tuning), number),
                      .cwd = tuning.plan.work.cwd,
                      .command = {options.program, "tune", "evaluate", tuning.folder,
                                  "--confirmation", std::to_string(number)}});
  TRY(arrays.load());
  std::vector<std::size_t> tasks(confirmation_processes(deterministic, processes));
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = i;
  Confirmation out;
  out.samples.deterministic = deterministic;
  out.samples.processes.resize(tasks.size());
  TRY(arrays.run(
      tasks,
      [&](std::size_t task, std::int64_t) -> Result<bool> {
        auto found = TRY(process_result(files, task));
        if (found) {
          out.samples.processes[task] = std::move(found->blocks);
          out.samples.model_band = found->model_band;
        }
        return found.has_value();
      },
      [&](const SlurmArrays::GivenUp& one) -> Status {
        return fail(Errc::undecided, fmt::format("process {} {}", one.task + 1, reason_of(one)));
      }));
  out.decision = TRY(decide(out.samples, rule));
  TRY(write_file(confirm_folder(tuning.folder, number) + "/decided.json",
                 to_json(Value(Record{{"verdict", Value(to_string(out.decision.verdict))},
                                      {"ratio", Value(out.decision.ratio)}})) +
                     "\n"));
  return out;
}

Result<Evaluation> confirm_on_node(const std::string& tuning_folder, std::int64_t number,
                                   std::int64_t batch, const Space& space, const Work& work,
                                   const TargetOf& target_of) {
  const std::string folder = confirm_folder(tuning_folder, number);
  const Pair pair = TRY(read_pair(folder));
  if (pair.default_point >= space.size() || pair.winner >= space.size())
    return fail(Errc::corrupt, folder + "/pair.json is of another space");
  const SlurmFiles files(folder);
  const std::size_t process = TRY(task_of_batch(files, batch));
  const ScratchFolder scratch = TRY(ScratchFolder::make("confirm"));
  const auto target = TRY(target_of(work));
  const auto evaluator = TRY(make_evaluator(space, work, *target, scratch.path()));
  Evaluation last;
  const auto measured = [&]() -> Result<MeasuredProcess> {
    for (const std::size_t point : {pair.default_point, pair.winner}) {
      last = TRY(evaluator->evaluate(point));
      if (!last.ok)
        return fail(Errc::undecided,
                    fmt::format("{} does not run any more: {}", space.label(point), last.reason));
    }
    return measure_process(*evaluator, pair.default_point, pair.winner, process);
  }();
  if (!measured && measured.error().code == Errc::interrupted) return Failure(measured.error());
  Record result{{"process", Value(std::uint64_t{process})}};
  if (measured) {
    result.emplace_back("blocks", to_value(*measured));
    if (const auto band = evaluator->model_band(pair.default_point, pair.winner))
      result.emplace_back("model_band", *band);
  } else {
    result.emplace_back("failed", Value(measured.error().message));
  }
  if (const char* node = std::getenv("SLURMD_NODENAME")) result.emplace_back("node", Value(node));
  TRY(write_file(files.result_path(process), to_json(Value(std::move(result))) + "\n"));
  return last;
}

}  // namespace rpl::tune
