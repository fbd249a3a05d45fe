// SPDX-License-Identifier: MIT
#include "engine/tune/run/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <set>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/scratch_folder.h"
#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/table/json_parse.h"
#include "engine/table/json_text.h"
#include "engine/tune/run/evaluator.h"
#include "engine/tune/run/slurm_files.h"

namespace rpl::tune {
namespace {

/// A word for sh.
std::string shell_word(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Where a configuration is: the last batch that has it, and how many have had it.
struct Submission {
  std::int64_t batch = 0;
  std::size_t task = 0;
  std::int64_t times = 0;
  int missed = 0;  ///< looks at the queue since it was last there
};

class SlurmExecutor : public Executor {
 public:
  SlurmExecutor(const Tuning& tuning, SlurmOptions options) : tuning_(tuning), options_(std::move(options)), files_(tuning.folder) {}

  Status prepare() {
    const auto found = run({.argv = {"squeue", "--version"}});
    if (!found || !found->ok()) return fail(Errc::missing_capability, "there is no Slurm here: squeue does not run", "run rpl on a login node of the cluster");
    TRY(files_.make());
    TRY(write_file(tuning_.folder + "/work.json", to_json(to_value(tuning_.plan.work)) + "\n"));
    for (const std::int64_t batch : files_.batches()) {
      const auto points = TRY(files_.points_of(batch));
      for (std::size_t task = 0; task < points.size(); ++task) note_submission(points[task], batch, task);
      last_batch_ = batch;
    }
    return {};
  }

  Status evaluate(std::span<const std::size_t> points, const Finished& finished) override {
    if (points.size() == 1 && tuning_.plan.batch == 1) return evaluate_now(points[0], finished);
    std::set<std::size_t> open(points.begin(), points.end());
    std::vector<std::size_t> fresh;
    for (const std::size_t point : points) {
      if (!submissions_.contains(point)) fresh.push_back(point);
    }
    if (!fresh.empty()) TRY(submit(fresh));
    while (true) {
      TRY(interrupt::check());
      // The queue is asked before results are looked for: what has left it then has written its result, or never will.
      const auto active = active_tasks(open);
      TRY(collect(open, finished));
      if (open.empty()) return {};
      if (active) TRY(submit_lost(open, *active, finished));
      if (open.empty()) return {};
      cluster::wait_a_while(options_);
    }
  }

 private:
  using Tasks = std::set<std::pair<std::int64_t, std::size_t>>;  ///< batch and number of the task

  void note_submission(std::size_t point, std::int64_t batch, std::size_t task) {
    Submission& one = submissions_[point];
    one.batch = batch;
    one.task = task;
    one.missed = 0;
    ++one.times;
  }
  /// Unique among all tunings of all sessions that share the cluster.
  [[nodiscard]] std::string name_of(std::int64_t batch) const { return fmt::format("rpl-{}-{}-b{}", hashed_folder(), tuning_.id(), batch); }
  [[nodiscard]] std::string hashed_folder() const {
    constexpr std::size_t kDigits = 8;
    return sha256_hex(tuning_.folder).substr(0, kDigits);
  }

  Status submit(const std::vector<std::size_t>& points) {
    const std::int64_t batch = ++last_batch_;
    // Written first: a crash from here on leaves a batch that is not in the queue, which counts as lost.
    TRY(files_.write_batch(batch, points));
    const std::string script = files_.script_path(batch);
    TRY(write_file(script, fmt::format("#!/bin/sh\nexec {} tune evaluate {} --batch {}\n", shell_word(options_.program), shell_word(tuning_.folder), batch)));
    for (std::size_t task = 0; task < points.size(); ++task) note_submission(points[task], batch, task);
    const std::vector<std::string> line = sbatch_line(options_, name_of(batch), points.size(), files_.log_folder() + fmt::format("/b{}_", batch), script, tuning_.plan.work.cwd);
    const Spawn spawn{.argv = line};
    return check_exit(spawn, TRY(run(spawn)));
  }

  /// Tasks in the queue, in whatever state; none while the controller does not answer, so that nothing is taken for lost.
  std::optional<Tasks> active_tasks(const std::set<std::size_t>& open) {
    std::set<std::int64_t> batches;
    for (const std::size_t point : open) batches.insert(submissions_[point].batch);
    std::string names;
    for (const std::int64_t batch : batches) names += (names.empty() ? "" : ",") + name_of(batch);
    const auto queue = run({.argv = {"squeue", "--noheader", "--array", "--name=" + names, "--format=%j|%K|%T"}});
    if (!queue || !queue->ok()) return std::nullopt;
    Tasks out;
    std::string_view rest = queue->out.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t first = line.find('|'), second = line.find('|', first + 1);
      if (second == std::string_view::npos) continue;
      const std::size_t b = line.substr(0, first).rfind('b');
      std::int64_t batch = 0;
      std::size_t task = 0;
      std::from_chars(line.data() + b + 1, line.data() + first, batch);
      const auto [at, error] = std::from_chars(line.data() + first + 1, line.data() + second, task);
      if (error == std::errc()) out.emplace(batch, task);
    }
    return out;
  }

  Status collect(std::set<std::size_t>& open, const Finished& finished) {
    for (auto point = open.begin(); point != open.end();) {
      auto found = TRY(files_.result(*point, tuning_.space));
      if (!found) {
        ++point;
        continue;
      }
      found->requeued += submissions_[*point].times - 1;
      TRY(finished(std::move(*found)));
      point = open.erase(point);
    }
    return {};
  }

  Status submit_lost(std::set<std::size_t>& open, const Tasks& active, const Finished& finished) {
    // A file may take a moment from the node to here.
    constexpr int kLooks = 2;
    std::vector<std::size_t> lost;
    for (auto point = open.begin(); point != open.end();) {
      Submission& one = submissions_[*point];
      one.missed = active.contains({one.batch, one.task}) ? 0 : one.missed + 1;
      if (one.missed < kLooks) {
        ++point;
        continue;
      }
      const std::string words = files_.last_words(one.batch, one.task);
      const bool out_of_time = words.find(cluster::kTimeLimitWords) != std::string::npos;
      if (!out_of_time && one.times <= options_.requeues) {
        lost.push_back(*point);
        ++point;
        continue;
      }
      TRY(finished({.point = *point, .stage = out_of_time ? "time" : "lost", .reason = reason_of(one, words), .requeued = one.times - 1}));
      point = open.erase(point);
    }
    return lost.empty() ? Status() : submit(lost);
  }

  static std::string reason_of(const Submission& one, const std::string& words) {
    return fmt::format("its job ended {} {} without a result{}", one.times, one.times == 1 ? "time" : "times", words.empty() ? "" : ": " + words);
  }

  /// One alone: srun waits for its place in the queue and for its end.
  Status evaluate_now(std::size_t point, const Finished& finished) {
    std::vector<std::string> line{"srun", "--quiet", "--job-name=" + name_of(0), "--chdir=" + tuning_.plan.work.cwd};
    cluster::add_resources(options_, 1, line);
    for (const std::string& word : {options_.program, std::string("tune"), std::string("evaluate"), tuning_.folder, std::string("--point"), std::to_string(point), std::string("--keep")}) line.push_back(word);
    std::string words;
    std::int64_t tried = 0;
    for (; tried <= options_.requeues; ++tried) {
      auto known = TRY(files_.result(point, tuning_.space));
      if (!known) {
        const Exit exit = TRY(run({.argv = line}));
        words = exit.err.text.substr(0, exit.err.text.find('\n'));
        known = TRY(files_.result(point, tuning_.space));
        if (!known && exit.err.text.find(cluster::kTimeLimitWords) != std::string::npos) break;
      }
      if (!known) continue;
      known->requeued += tried;
      return finished(std::move(*known));
    }
    const bool out_of_time = tried <= options_.requeues;
    return finished({.point = point, .stage = out_of_time ? "time" : "lost", .reason = reason_of({.times = tried + (out_of_time ? 1 : 0)}, words), .requeued = tried});
  }

  const Tuning& tuning_;
  SlurmOptions options_;
  SlurmFiles files_;
  std::map<std::size_t, Submission> submissions_;  ///< by point
  std::int64_t last_batch_ = 0;
};

}  // namespace

std::vector<std::string> sbatch_line(const SlurmOptions& options, const std::string& name, std::size_t count, const std::string& log, const std::string& script, const std::string& cwd) {
  std::vector<std::string> line{"sbatch", "--parsable", "--requeue", "--job-name=" + name, fmt::format("--array=0-{}", count - 1), "--output=" + log + "%A_%a.txt"};
  if (!cwd.empty()) line.push_back("--chdir=" + cwd);
  cluster::add_resources(options, 1, line);
  line.push_back(script);
  return line;
}

Result<std::unique_ptr<Executor>> make_slurm_executor(const Tuning& tuning, const SlurmOptions& options) {
  auto out = std::make_unique<SlurmExecutor>(tuning, options);
  TRY(out->prepare());
  return out;
}

Result<NodeResult> evaluate_on_node(const NodeTask& task) {
  const SlurmFiles files(task.folder);
  NodeResult out{.space = TRY(Space::parse(TRY(read_text_file(task.folder + "/space.json")))), .evaluation = {}};
  const Work work = TRY(work_from(TRY(parse_json(TRY(read_text_file(task.folder + "/work.json"))))));
  TRY(check_work(work, out.space));
  std::optional<std::size_t> point = task.point;
  const auto number_from = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? std::optional<std::int64_t>() : std::optional<std::int64_t>(std::strtoll(text, nullptr, 10));
  };
  if (task.batch > 0) {
    const auto points = TRY(files.points_of(task.batch));
    const auto number = number_from("SLURM_ARRAY_TASK_ID");
    if (!number || *number < 0 || static_cast<std::size_t>(*number) >= points.size()) return fail(Errc::usage, "SLURM_ARRAY_TASK_ID names no task of the batch", "this command is for jobs that rpl submits");
    point = points[static_cast<std::size_t>(*number)];
  }
  if (!point || *point >= out.space.size()) return fail(Errc::usage, "no configuration of the space is named", "--point N");
  // Several tasks of one node build side by side, and nothing of it has to be shared.
  const ScratchFolder scratch = TRY(ScratchFolder::make("evaluate"));
  const auto evaluator = TRY(make_evaluator(out.space, work, {.folder = scratch.path(), .program = {}}));
  out.evaluation = TRY(evaluator->evaluate(*point));
  out.evaluation.requeued = number_from("SLURM_RESTART_COUNT").value_or(0);
  if (const char* node = std::getenv("SLURMD_NODENAME")) out.evaluation.facts.emplace_back("node", Value(node));
  if (task.batch > 0 || task.keep) TRY(files.write_result(out.evaluation, out.space));
  return out;
}

}  // namespace rpl::tune
