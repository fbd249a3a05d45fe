// SPDX-License-Identifier: MIT
#include "engine/target/slurm/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/process/run.h"

namespace rpl::cluster {
namespace {

/// What of this line, if it is one of srun's or sbatch's own, says that there will be no job. Programs that they run write beside them.
std::string_view refusal_in(std::string_view line) {
  if (!line.starts_with("srun: ") && !line.starts_with("sbatch: ")) return {};
  for (const char* words : {"Unable to allocate resources", "Unable to contact slurm controller",
                            "Batch job submission failed", "unrecognized option", "Invalid --"}) {
    const std::size_t at = line.find(words);
    if (at != std::string_view::npos) return line.substr(at);
  }
  return {};
}

}  // namespace

Record to_record(const SlurmOptions& options) {
  List extra;
  for (const std::string& word : options.extra) extra.emplace_back(word);
  return {
      {"account", Value(options.account)},       {"partition", Value(options.partition)},
      {"time_limit", Value(options.time_limit)}, {"gpus_per_task", Value(options.gpus_per_task)},
      {"extra", Value(std::move(extra))},        {"program", Value(options.program)},
      {"poll_ms", Value(options.poll_ms)},       {"requeues", Value(options.requeues)}};
}

Result<SlurmOptions> slurm_options_from(const Record& record) {
  const Value value(record);
  SlurmOptions out;
  bool whole = true;
  const auto take = [&](const char* key, auto& into) {
    const Value* found = value.find(key);
    const auto* known =
        found == nullptr ? nullptr : found->as<std::remove_reference_t<decltype(into)>>();
    whole = whole && known != nullptr;
    if (known != nullptr) into = *known;
  };
  List extra;
  take("account", out.account);
  take("partition", out.partition);
  take("time_limit", out.time_limit);
  take("gpus_per_task", out.gpus_per_task);
  take("extra", extra);
  take("program", out.program);
  take("poll_ms", out.poll_ms);
  take("requeues", out.requeues);
  for (const Value& word : extra) {
    const auto* text = word.as<std::string>();
    whole = whole && text != nullptr;
    if (text != nullptr) out.extra.push_back(*text);
  }
  if (!whole)
    return fail(Errc::corrupt, "the record of a tuning lacks options of its batch system");
  return out;
}

void add_resources(const SlurmOptions& options, std::size_t tasks, std::vector<std::string>& line) {
  if (!options.account.empty()) line.push_back("--account=" + options.account);
  if (!options.partition.empty()) line.push_back("--partition=" + options.partition);
  if (!options.time_limit.empty()) line.push_back("--time=" + options.time_limit);
  line.push_back(fmt::format("--ntasks={}", tasks));
  if (options.gpus_per_task > 0)
    line.push_back(fmt::format("--gpus-per-task={}", options.gpus_per_task));
  line.insert(line.end(), options.extra.begin(), options.extra.end());
}

Status needs(const char* program) {
  const auto found = run({.argv = {program, "--version"}});
  if (found && found->ok()) return {};
  return fail(Errc::missing_capability,
              fmt::format("there is no Slurm here: {} does not run", program),
              "run rpl on a login node of the cluster");
}

Status check_taken(std::string_view said) {
  while (!said.empty()) {
    const std::string_view line = said.substr(0, said.find('\n'));
    said.remove_prefix(std::min(line.size() + 1, said.size()));
    const std::string_view refusal = refusal_in(line);
    if (!refusal.empty())
      return fail(Errc::io, fmt::format("the cluster does not take the job: {}", refusal),
                  "show slurm; sinfo; target slurm --partition P");
  }
  return {};
}

void wait_a_while(const SlurmOptions& options) {
  constexpr std::int64_t kStep = 50;
  for (std::int64_t waited = 0; waited < options.poll_ms && !interrupt::pending(); waited += kStep)
    std::this_thread::sleep_for(std::chrono::milliseconds(kStep));
}

}  // namespace rpl::cluster
