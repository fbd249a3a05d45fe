// SPDX-License-Identifier: MIT
#include "engine/target/slurm/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/document/records.h"
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

constexpr auto kOptions = bound_to<SlurmOptions>(
    column<&SlurmOptions::account>("account"), column<&SlurmOptions::partition>("partition"),
    column<&SlurmOptions::time_limit>("time_limit"),
    column<&SlurmOptions::gpus_per_task>("gpus_per_task"), column<&SlurmOptions::extra>("extra"),
    column<&SlurmOptions::program>("program"), column<&SlurmOptions::poll_ms>("poll_ms"),
    column<&SlurmOptions::requeues>("requeues"));

}  // namespace

Record to_record(const SlurmOptions& options) {
  Record out;
  append(out, kOptions, options);
  return out;
}

Result<SlurmOptions> slurm_options_from(const Record& record) {
  return from_value(kOptions, Value(record), "the tuning's Slurm options");
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
  const auto found = run({.argv = {program, "--version"}, .program = Program::tool});
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
