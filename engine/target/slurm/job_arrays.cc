// SPDX-License-Identifier: MIT
#include "engine/target/slurm/job_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/process/run.h"

namespace rpl::cluster {

Status SlurmArrays::load() {
  TRY(files_.make());
  for (const std::int64_t batch : files_.batches()) {
    const auto tasks = TRY(files_.points_of(batch));
    for (std::size_t place = 0; place < tasks.size(); ++place)
      note_submission(tasks[place], batch, place);
    last_batch_ = batch;
  }
  return {};
}

Status SlurmArrays::run(std::span<const std::size_t> tasks, const Collect& collect,
                        const GiveUp& give_up) {
  std::set<std::size_t> open(tasks.begin(), tasks.end());
  std::vector<std::size_t> fresh;
  for (const std::size_t task : tasks) {
    if (!submissions_.contains(task)) fresh.push_back(task);
  }
  if (!fresh.empty()) TRY(submit(fresh));
  while (true) {
    TRY(interrupt::check());
    // The queue is asked before results are looked for: what has left it then has written its result, or never will.
    const auto there = active(open);
    TRY(collect_into(open, collect));
    if (open.empty()) return {};
    if (there) TRY(submit_lost(open, *there, give_up));
    if (open.empty()) return {};
    wait_a_while(options_);
  }
}

void SlurmArrays::note_submission(std::size_t task, std::int64_t batch, std::size_t place) {
  Submission& one = submissions_[task];
  one.batch = batch;
  one.place = place;
  one.missed = 0;
  ++one.times;
}

std::string SlurmArrays::name_of(std::int64_t batch) const {
  return fmt::format("{}-b{}", job_.name, batch);
}

Status SlurmArrays::submit(const std::vector<std::size_t>& tasks) {
  const std::int64_t batch = ++last_batch_;
  // Written first: a crash from here on leaves a batch that is not in the queue, which counts as lost.
  TRY(files_.write_batch(batch, tasks));
  std::vector<std::string> words = job_.command;
  words.insert(words.end(), {"--batch", std::to_string(batch)});
  const std::string script = files_.script_path(batch);
  TRY(write_file(script, "#!/bin/sh\nexec " + command_line(words) + "\n"));
  for (std::size_t place = 0; place < tasks.size(); ++place)
    note_submission(tasks[place], batch, place);
  const Spawn spawn{.argv = sbatch_line(options_, name_of(batch), tasks.size(),
                                        files_.log_folder() + fmt::format("/b{}_", batch), script,
                                        job_.cwd)};
  const Exit exit = TRY(rpl::run(spawn));
  if (!exit.ok()) TRY(check_taken(exit.err.text));
  return check_exit(spawn, exit);
}

/// Tasks in the queue, in whatever state; none while the controller does not answer, so that nothing is taken for lost.
std::optional<SlurmArrays::Places> SlurmArrays::active(const std::set<std::size_t>& open) {
  std::set<std::int64_t> batches;
  for (const std::size_t task : open) batches.insert(submissions_[task].batch);
  std::string names;
  for (const std::int64_t batch : batches) names += (names.empty() ? "" : ",") + name_of(batch);
  const auto queue = rpl::run(
      {.argv = {"squeue", "--noheader", "--array", "--name=" + names, "--format=%j|%K|%T"}});
  if (!queue || !queue->ok()) return std::nullopt;
  Places out;
  std::string_view rest = queue->out.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t first = line.find('|'), second = line.find('|', first + 1);
    if (second == std::string_view::npos) continue;
    const std::size_t b = line.substr(0, first).rfind('b');
    std::string_view name = line.substr(b + 1, first - b - 1),
                     index = line.substr(first + 1, second - first - 1);
    const auto batch = take_number<std::int64_t>(name);
    const auto place = take_number<std::size_t>(index);
    if (batch && place) out.emplace(*batch, *place);
  }
  return out;
}

Status SlurmArrays::collect_into(std::set<std::size_t>& open, const Collect& collect) {
  for (auto task = open.begin(); task != open.end();) {
    const bool found = TRY(collect(*task, submissions_[*task].times));
    task = found ? open.erase(task) : std::next(task);
  }
  return {};
}

Status SlurmArrays::submit_lost(std::set<std::size_t>& open, const Places& active,
                                const GiveUp& give_up) {
  // A file may take a moment from the node to here.
  constexpr int kLooks = 2;
  std::vector<std::size_t> lost;
  for (auto task = open.begin(); task != open.end();) {
    Submission& one = submissions_[*task];
    one.missed = active.contains({one.batch, one.place}) ? 0 : one.missed + 1;
    if (one.missed < kLooks) {
      ++task;
      continue;
    }
    const std::string words = files_.last_words(one.batch, one.place);
    const bool out_of_time = words.find(kTimeLimitWords) != std::string::npos;
    if (!out_of_time && one.times <= options_.requeues) {
      lost.push_back(*task);
      ++task;
      continue;
    }
    TRY(give_up({.task = *task, .times = one.times, .out_of_time = out_of_time, .words = words}));
    task = open.erase(task);
  }
  return lost.empty() ? Status() : submit(lost);
}

std::optional<std::int64_t> number_from(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::optional<std::int64_t>()
                         : std::optional<std::int64_t>(std::strtoll(text, nullptr, 10));
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
  add_resources(options, 1, line);
  line.push_back(script);
  return line;
}

namespace fs = std::filesystem;

Status SlurmFiles::make() const {
  for (const char* name : {"batches", "results", "logs"})
    TRY(make_folder(fmt::format("{}/{}", folder_, name)));
  return {};
}

std::string SlurmFiles::result_path(std::size_t point) const {
  return fmt::format("{}/results/{}.json", folder_, point);
}
std::string SlurmFiles::script_path(std::int64_t batch) const {
  return fmt::format("{}/batches/{}.sh", folder_, batch);
}

std::vector<std::int64_t> SlurmFiles::batches() const {
  std::vector<std::int64_t> out;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_ + "/batches", ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    std::string_view rest = name;
    const auto number = take_number<std::int64_t>(rest);
    if (number && rest == ".json") out.push_back(*number);
  }
  std::ranges::sort(out);
  return out;
}

Result<std::vector<std::size_t>> SlurmFiles::points_of(std::int64_t batch) const {
  const std::string path = fmt::format("{}/batches/{}.json", folder_, batch);
  const Value value = TRY(parse_json(TRY(read_text_file(path))));
  const auto* list = value.as<List>();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* point = (*list)[i].as<std::int64_t>();
    if (point == nullptr || *point < 0)
      return fail(Errc::corrupt, path + " is not a list of points");
    out.push_back(static_cast<std::size_t>(*point));
  }
  if (out.empty()) return fail(Errc::corrupt, path + " is not a list of points");
  return out;
}

Status SlurmFiles::write_batch(std::int64_t batch, const std::vector<std::size_t>& points) const {
  List list;
  for (const std::size_t point : points) list.emplace_back(std::uint64_t{point});
  return write_file(fmt::format("{}/batches/{}.json", folder_, batch),
                    to_json(Value(std::move(list))) + "\n");
}

std::string SlurmFiles::last_words(std::int64_t batch, std::size_t task) const {
  const std::string begins = fmt::format("b{}_", batch), ends = fmt::format("_{}.txt", task);
  std::error_code ignored;
  for (fs::directory_iterator entry(log_folder(), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begins) || !name.ends_with(ends)) continue;
    return last_line(read_text_file(entry->path().string()).value_or(""));
  }
  return {};
}

}  // namespace rpl::cluster
