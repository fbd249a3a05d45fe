// SPDX-License-Identifier: MIT
// Lines that run in the background: `LINE &`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/optimize/model/key.h"
#include "engine/process/background.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/job_line.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/run/background.h"
#include "shell/core/session/face.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct JobRow {
  Job* job = nullptr;
  Job::State state = job->state();

  [[nodiscard]] bool runs() const { return state == Job::State::running; }
  [[nodiscard]] std::string progress() const { return runs() ? job->progress() : ""; }
  [[nodiscard]] std::optional<int> exit_status() const {
    return runs() ? std::nullopt : std::optional(job->exit_status());
  }
  /// The first error that it told.
  [[nodiscard]] std::string why() const {
    constexpr std::string_view kError = "error: ";
    if (state != Job::State::failed) return {};
    for (const std::string& line : split_lines(job->remarks())) {
      if (line.starts_with(kError)) return line.substr(kError.size());
    }
    return {};
  }
};

constexpr BoundColumn kId = column<&JobRow::job, &Job::id>("id", "j1, j2, …"),
                      kLine = column<&JobRow::job, &Job::line>("command", "its line");

constexpr auto kStartedFields = bound_to<JobRow>(kId, kLine);

constexpr auto kJobColumns = bound_to<JobRow>(
    kId,
    column<&JobRow::state>("state", "running, done, failed (its exit status is not 0) or stopped"),
    column<&JobRow::job, &Job::elapsed_ns>("elapsed_ns", "since it was started, or until it ended"),
    column<&JobRow::progress>("progress",
                              "what it said last of how far it is; null when it runs no more")
        .or_null(),
    column<&JobRow::exit_status>("exit_status", "of its line; null while it runs").in(Unit::none),
    column<&JobRow::why>("why", "what went wrong; null where nothing did").if_room().or_null(),
    kLine);

constexpr auto kPrintedFields = bound_to<JobRow>(
    column<&JobRow::job, &Job::output>("output", "what its line printed so far, at most 8 MiB"),
    column<&JobRow::job, &Job::remarks>("remarks", "its notes and errors"));

struct JobLineArgs {
  std::string line;
};

Result<Document> start_job(const JobLineArgs& args, JobStarter shell) {
  const std::string line = TRY(line_of_job(shell, args.line));
  Spawn spawn;
  spawn.program = Program::tool;  // rpl itself, held to the same policy
  spawn.argv = TRY(arguments_of_job(shell, line));
  spawn.env = llm::taken_key_variables();
  spawn.env.push_back(fmt::format("{}=1", job_message::kVariable));
  Job& job = shell.jobs.add(args.line, std::make_unique<Background>(TRY(Background::start(spawn))));
  Document out;
  out.put(kStartedFields, JobRow{&job});
  out.text = fmt::format("{} runs in the background: {}", job.id(), job.line());
  out.next = {"info jobs", "job wait " + job.id(), "job stop " + job.id()};
  return out;
}

/// The table of jobs.
Document listed(const std::vector<JobRow>& rows) {
  Document out;
  out.table(kJobColumns, rows);
  if (rows.empty())
    out.notes.emplace_back(
        "there are no jobs; a line with & at its end starts one: profile -- ./app &");
  return out;
}

Result<Document> info_jobs(const Jobs& jobs) {
  std::vector<JobRow> rows;
  for (const auto& job : jobs.all()) rows.push_back({job.get()});
  Document out = listed(rows);
  if (!rows.empty()) out.next = {"job show " + rows.back().job->id()};
  return out;
}

struct JobArgs {
  std::string job;
};

/// Opens here what the job opened, as its line would have.
Status take(const Inputs& inputs, Job& job, Document& out) {
  if (job.taken) return {};
  job.taken = true;
  std::error_code ignored;
  for (const std::vector<std::string>& paths : job.opened()) {
    if (!std::ranges::all_of(
            paths, [&](const std::string& path) { return std::filesystem::exists(path, ignored); }))
      continue;
    if (paths.size() == 1) {
      TRY(open_in_passing(inputs, paths.front()));
    } else {
      TRY(open_recordings(inputs, paths));
    }
    out.notes.push_back(fmt::format("opened {}", fmt::join(paths, ", ")));
  }
  return {};
}

Result<Document> show_job(const JobArgs& args, const Jobs& jobs, Inputs inputs) {
  Job& job = *TRY(jobs.find(args.job));
  Document out;
  const JobRow row{&job};
  out.put(kJobColumns, row);
  out.put(kPrintedFields, row);
  out.text = job.output();
  if (out.text.ends_with('\n')) out.text.pop_back();
  if (job.state() == Job::State::running) {
    out.notes.push_back(
        fmt::format("{} still runs, since {}", job.id(), format_ns(job.elapsed_ns())));
  } else {
    job.told = true;
    TRY(take(inputs, job, out));
  }
  const std::string remarks = job.remarks();
  if (!remarks.empty())
    out.text += (out.text.empty() ? "" : "\n") + remarks.substr(0, remarks.size() - 1);
  return out;
}

/// Ctrl-C ends the wait, not the job.
Status wait_for(const Monitor& monitor, Job& job) {
  constexpr std::chrono::milliseconds kTick{20};
  const std::string what = "waiting for " + job.id();
  while (job.state() == Job::State::running) {
    TRY(interrupt::check());
    monitor.report(what, 0, 0);
    std::this_thread::sleep_for(kTick);
  }
  return {};
}

Result<Document> wait_jobs(const JobArgs& args, const Jobs& jobs, const Monitor& monitor) {
  std::vector<Job*> wanted;
  if (args.job.empty()) {
    for (const auto& job : jobs.all()) wanted.push_back(job.get());
  } else {
    wanted.push_back(TRY(jobs.find(args.job)));
  }
  std::vector<JobRow> rows;
  int status = 0;
  for (Job* job : wanted) {
    TRY(wait_for(monitor, *job));
    job->told = true;
    rows.push_back({job});
    if (rows.back().state == Job::State::failed) status = job->exit_status();
  }
  Document out = listed(rows);
  out.exit_code = status;
  if (wanted.size() == 1) out.next = {"job show " + wanted.front()->id()};
  return out;
}

Result<Document> stop_job(const JobArgs& args, const Jobs& jobs) {
  Job& job = *TRY(jobs.find(args.job));
  const bool ran = job.state() == Job::State::running;
  job.stop();
  job.told = true;
  Document out = listed({{&job}});
  if (!ran) out.notes.push_back(fmt::format("{} had ended before", job.id()));
  out.next = {"job show " + job.id()};
  return out;
}

}  // namespace

bool may_leave(const Jobs& jobs, const Workspace& workspace, const Settings& settings, Face& face) {
  const std::size_t running = jobs.running();
  const bool stopped = !workspace.stepping.empty() && settings.on("confirm");
  if (running == 0 && stopped) return face.confirm("A kernel is stopped. Quit anyway?", true);
  if (running == 0) return true;
  return face.confirm(running == 1
                          ? "a job still runs; stop it and leave?"
                          : fmt::format("{} jobs still run; stop them and leave?", running),
                      true);
}

std::vector<std::string> end_jobs(const Jobs& jobs) {
  std::vector<std::string> out;
  std::vector<Job*> running;
  for (const auto& job : jobs.all()) {
    if (job->state() == Job::State::running) running.push_back(job.get());
  }
  // They take their time together.
  for (Job* job : running) job->ask_to_end();
  for (Job* job : running) {
    job->stop();
    out.push_back(fmt::format("{} still ran and was stopped: {}; 'job wait' waits for it",
                              job->id(), job->line()));
  }
  return out;
}

void add_job_commands(Registry& registry) {
  add(registry,
      command<JobLineArgs>(
          Command{
              .path = "background",
              .does = kKeeps,
              .may = kWhatItRuns,
              .chapter = Class::running,
              .summary = "Run a line in the background: `LINE &`.",
              .help =
                  "The line runs in a shell of its own, with what is current here opened from its "
                  "files and what is set here set; `$variables` and ids are replaced before. When "
                  "it has ended the prompt says so, `job show` prints what it printed and opens "
                  "what it opened. Commands that work on this shell (`set`, `open`, stepping) have "
                  "no such form. Jobs that still run when this shell ends are stopped.",
              .fields = described(kStartedFields),
              .scalar = "id",
              .examples = {"background info capabilities"},
              .raw = true,
              .raw_text = RawText::own,
              .changes_program = true},
          {rest("line", &JobLineArgs::line, "the line; quotes, options and a pipe are its own")
               .required()},
          start_job));
  add(registry,
      command(Command{.path = "info jobs",
                      .does = kReads,
                      .chapter = Class::status,
                      .summary = "List the lines that run in the background, and those that ran.",
                      .help = "`LINE &` starts one, `job show` prints what it printed, `job stop` "
                              "ends it, `job wait` waits for it.",
                      .columns = described(kJobColumns),
                      .scalar = "id",
                      .examples = {"info jobs"}},
              info_jobs));
  std::vector<Column> shown = described(kJobColumns);
  for (const Column& field : described(kPrintedFields)) shown.push_back(field);
  add(registry,
      command(Command{.path = "job show",
                      .does = kKeeps,
                      .chapter = Class::running,
                      .summary = "Print what a job printed, and open what it opened.",
                      .help = "Without a name, of the latest job. Recordings and the rest that an "
                              "ended job opened (`profile -- ./app &`) are opened here the first "
                              "time, as though its line had run here.",
                      .fields = std::move(shown),
                      .scalar = "state",
                      .examples = {"job show"},
                      .changes_program = true},
              {arg("job", &JobArgs::job, "j1, j2, …; default: the latest")}, show_job));
  add(registry, command(Command{.path = "job wait",
                                .does = kKeeps,
                                .chapter = Class::running,
                                .summary = "Wait until a job has ended, or all.",
                                .help = "Ctrl-C ends the waiting, not the job. The exit status is "
                                        "that of the last job that failed.",
                                .columns = described(kJobColumns),
                                .scalar = "state",
                                .examples = {"job wait"}},
                        {arg("job", &JobArgs::job, "j1, j2, …; default: all")}, wait_jobs));
  add(registry, command(Command{.path = "job stop",
                                .does = kKeeps,
                                .chapter = Class::running,
                                .summary = "Stop a job and what it started.",
                                .help = "As Ctrl-C would: it gets two seconds to end by itself. "
                                        "What it recorded until then is kept where it writes it.",
                                .columns = described(kJobColumns),
                                .scalar = "state",
                                .examples = {"job stop"},
                                .changes_program = true},
                        {arg("job", &JobArgs::job, "j1, j2, …; default: the latest")}, stop_job));
}

}  // namespace rpl
