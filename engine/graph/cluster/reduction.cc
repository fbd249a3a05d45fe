// SPDX-License-Identifier: MIT
#include "engine/graph/cluster/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "engine/target/slurm/job_arrays.h"
#include "engine/trace/import/open.h"

namespace rpl::cluster {
namespace {

namespace fs = std::filesystem;

/// So many recordings of one task are the most, and so large is what it may write.
constexpr std::size_t kMostOfTask = 1024;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

std::string digits_of(const Reduction& reduction) {
  constexpr std::size_t kDigits = 16;
  std::string all = fmt::format("{}\n", reduction.of_task);
  for (const std::string& path : reduction.recordings) {
    std::error_code ignored;
    const auto bytes = fs::file_size(path, ignored);
    const auto time = fs::last_write_time(path, ignored).time_since_epoch().count();
    all += fmt::format("{}\n{} {}\n", path, bytes, time);
  }
  return sha256_hex(all).substr(0, kDigits);
}

std::string work_path(const std::string& folder) { return folder + "/work.json"; }

/// Which recordings each task reads.
std::vector<std::vector<std::string>> tasks_of(const Reduction& reduction) {
  std::vector<std::vector<std::string>> out;
  const std::size_t of_task = std::clamp<std::size_t>(reduction.of_task, 1, kMostOfTask);
  for (std::size_t i = 0; i < reduction.recordings.size(); ++i) {
    if (i % of_task == 0) out.emplace_back();
    out.back().push_back(reduction.recordings[i]);
  }
  return out;
}

Value work_of(const std::vector<std::vector<std::string>>& tasks) {
  List list;
  for (const std::vector<std::string>& recordings : tasks)
    list.emplace_back(List(recordings.begin(), recordings.end()));
  return Value(Record{{"schema", Value("rpl.ranks.work/1")}, {"tasks", Value(std::move(list))}});
}

Result<std::vector<std::string>> recordings_of(const std::string& folder, std::size_t task) {
  const Value work = TRY(parse_json(TRY(read_text_file(work_path(folder)))));
  const Value* tasks = work.find("tasks");
  const List* list = tasks == nullptr ? nullptr : tasks->as<List>();
  const List* ours = list == nullptr || task >= list->size() ? nullptr : (*list)[task].as<List>();
  std::vector<std::string> out;
  for (std::size_t i = 0; ours != nullptr && i < ours->size(); ++i) {
    if (const auto* path = (*ours)[i].as<std::string>()) out.push_back(*path);
  }
  if (out.empty() || out.size() != ours->size() || out.size() > kMostOfTask)
    return fail(Errc::corrupt, work_path(folder) + " has no such task",
                "it is written by ranks FOLDER --target slurm, which submits the jobs again");
  return out;
}

Value document_of(const std::vector<RecordingSummary>& recordings) {
  List list;
  for (const RecordingSummary& one : recordings) list.push_back(to_value(one));
  return Value(
      Record{{"schema", Value(kRankSummarySchema)}, {"recordings", Value(std::move(list))}});
}

/// What a task has written, if it has. A node may have written anything.
Result<bool> collect(const SlurmFiles& files, std::size_t task,
                     const std::vector<std::string>& recordings,
                     std::vector<RecordingSummary>& into) {
  const std::string path = files.result_path(task);
  const auto file = open_input(path, Links::refuse);
  if (!file && file.error().code == Errc::not_found) return false;
  if (!file) return Failure(file.error());
  if (file->bytes > kMostBytes)
    return fail(Errc::limit,
                fmt::format("{} has {} bytes: no summary is as large", path, file->bytes),
                "--of-task 1 has each task read one recording");
  into = TRY(summaries_from(TRY(read_text_file(path)), path));
  const bool same = std::ranges::equal(
      into, recordings,
      [](const RecordingSummary& a, const std::string& b) { return a.path == b; });
  if (!same)
    return fail(Errc::corrupt, path + " is of other recordings",
                "asking again has the nodes read them again");
  return true;
}

/// Of a reduction that failed nothing is taken for done, or for tried already, when it is asked for again. What the jobs said stays.
void forget(const std::string& folder) {
  std::error_code ignored;
  fs::remove_all(folder + "/slurm/batches", ignored);
  fs::remove_all(folder + "/slurm/results", ignored);
}

}  // namespace

std::string folder_of(const Reduction& reduction) {
  return fmt::format("{}/ranks/{}", reduction.session, digits_of(reduction));
}

Result<std::vector<RecordingSummary>> reduce(const Reduction& reduction, const Monitor& monitor) {
  for (const char* program : {"squeue", "sbatch"}) TRY(needs(program));
  const std::string folder = folder_of(reduction);
  TRY(make_private_folder(reduction.session + "/ranks"));
  TRY(make_private_folder(folder));
  const std::vector<std::vector<std::string>> recordings = tasks_of(reduction);
  TRY(write_file(work_path(folder), to_json(work_of(recordings)) + "\n"));
  const SlurmFiles files(folder);
  SlurmArrays arrays(
      reduction.options, files,
      {.name = "rpl-ranks-" + fs::path(folder).filename().string(),
       .cwd = {},
       .command = {reduction.options.program, "-nx", "ranks", "reduce", "--task", folder}});
  TRY(arrays.load());
  std::vector<std::vector<RecordingSummary>> found(recordings.size());
  std::vector<std::size_t> tasks;
  std::size_t done = 0;
  for (std::size_t task = 0; task < recordings.size(); ++task) tasks.push_back(task);
  const auto collected = [&](std::size_t task, std::int64_t) -> Result<bool> {
    monitor.report("waiting for nodes", done, recordings.size());
    const bool there = TRY(collect(files, task, recordings[task], found[task]));
    done += there ? 1 : 0;
    return there;
  };
  const auto given_up = [&](const SlurmArrays::GivenUp& one) -> Status {
    return fail(one.out_of_time ? Errc::timeout : Errc::io,
                fmt::format("{}: {}", recordings[one.task].front(), reason_of(one)),
                fmt::format("{} has what the jobs said", files.log_folder()));
  };
  if (Status ran = arrays.run(tasks, collected, given_up); !ran) {
    if (ran.error().code != Errc::interrupted) forget(folder);
    return std::move(ran).failure();
  }
  std::vector<RecordingSummary> out;
  for (auto& of_task_found : found)
    out.insert(out.end(), std::make_move_iterator(of_task_found.begin()),
               std::make_move_iterator(of_task_found.end()));
  return out;
}

Result<std::vector<RecordingSummary>> summaries_of(const std::vector<std::string>& recordings,
                                                   const Monitor& monitor) {
  std::vector<RecordingSummary> out;
  for (const std::string& path : recordings) {
    const auto trace = TRY(open_trace(std::vector<std::string>{path}, {}, monitor));
    out.push_back(TRY(summary_of(*trace)));
    out.back().path = path;
  }
  return out;
}

Result<std::vector<RecordingSummary>> reduce_on_node(const std::string& folder, std::int64_t batch,
                                                     const Monitor& monitor) {
  const SlurmFiles files(folder);
  const std::size_t task = TRY(task_of_batch(files, batch));
  const std::vector<std::string> recordings = TRY(recordings_of(folder, task));
  auto out = summaries_of(recordings, monitor);
  if (!out && out.error().code == Errc::interrupted) return out;
  const Value result = out ? document_of(*out)
                           : Value(Record{{"schema", Value(kRankSummarySchema)},
                                          {"failed", Value(out.error().message)}});
  TRY(write_file(files.result_path(task), to_json(result) + "\n"));
  return out;
}

}  // namespace rpl::cluster
