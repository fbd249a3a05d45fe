// SPDX-License-Identifier: MIT
#include "shell/core/inputs/targets.h"

#include <fmt/format.h>

#include <filesystem>

#include "shell/core/command/line.h"
#include "shell/core/command/settings.h"

namespace rpl {
namespace {

Status words_of_a_line(const Value& value) {
  const auto* text = value.as<std::string>();
  if (text != nullptr) TRY(template_words(*text, "slurm extra"));
  return {};
}

}  // namespace

Result<std::vector<std::string>> template_words(const std::string& text, std::string_view option) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  const Line line = TRY(split_line(text));
  if (!line.pipe.empty())
    return fail(Errc::usage, fmt::format("a pipeline is not a program for {}", option),
                fmt::format("{} \"sh -c 'A | B'\"", option));
  for (const Word& word : line.words) out.push_back(word.text);
  return out;
}

void add_slurm_settings(Settings& settings) {
  settings.add("slurm account", {}, "account of jobs; empty: the cluster's default");
  settings.add("slurm partition", {}, "partition of jobs; empty: the cluster's default");
  settings.add("slurm time-limit", {},
               "of each job, as Slurm writes it: 00:10:00; empty: the partition's default");
  settings.add("slurm extra", {}, "further options of sbatch and srun, as one text",
               words_of_a_line);
  settings.add("slurm program", {},
               "this program, as the nodes find it; empty: the path that it has here");
  for (const char* name : {"slurm extra", "slurm program"}) settings.guard(name, {Capability::run});
  settings.add("slurm gpus-per-task", 0, at_least(0),
               "GPUs that each evaluation or rank asks for; 0: none");
  settings.add("slurm poll-ms", 2000, at_least(1), "milliseconds between two looks at the queue");
  settings.add("slurm requeues", 3, at_least(0),
               "how often an evaluation or a job of ranks that was lost is run again");
  settings.add("slurm runs", "local", {"local", "emu"},
               "what runs at the nodes: local (their GPUs) or emu");
}

cluster::SlurmOptions slurm_options(const Settings& settings) {
  cluster::SlurmOptions out{.account = settings.text("slurm account"),
                            .partition = settings.text("slurm partition"),
                            .time_limit = settings.text("slurm time-limit")};
  out.gpus_per_task = settings.integer("slurm gpus-per-task");
  out.poll_ms = settings.integer("slurm poll-ms");
  out.requeues = settings.integer("slurm requeues");
  if (const auto words = template_words(settings.text("slurm extra"), "slurm extra"))
    out.extra = *words;
  out.program = settings.text("slurm program");
  std::error_code ignored;
  if (out.program.empty())
    out.program = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  return out;
}

}  // namespace rpl
