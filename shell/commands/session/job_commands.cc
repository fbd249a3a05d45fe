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
#include "engine/base/units.h"
#include "engine/process/background.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/job_line.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/run/background.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/jobs.h"

namespace rpl {
namespace {

std::vector<Column> job_columns() {
  return {{"id", Type::string, Unit::none, "j1, j2, …"},
          {"state", Type::string, Unit::none,
           "running, done, failed (its exit status is not 0) or stopped"},
          {"elapsed_ns", Type::integer, Unit::ns, "since it was started, or until it ended"},
          {"progress", Type::string, Unit::none,
           "what it said last of how far it is; null when it runs no more"},
          {"exit_status", Type::integer, Unit::none, "of its line; null while it runs"},
          {"command", Type::string, Unit::none, "its line"}};
}

Row row_of(Job& job) {
  const Job::State state = job.state();
  const bool runs = state == Job::State::running;
  const std::string progress = runs ? job.progress() : "";
  return {Value(job.id()),
          Value(std::string(to_string(state))),
          Value(job.elapsed_ns()),
          progress.empty() ? Value() : Value(progress),
          runs ? Value() : Value(static_cast<std::int64_t>(job.exit_status())),
          Value(job.line())};
}

struct JobLineArgs {
  std::string line;
};

Result<Document> start_job(const JobLineArgs& args, Context& context) {
  const std::string line = TRY(line_of_job(context, args.line));
  Spawn spawn;
  spawn.argv = TRY(arguments_of_job(context, line));
  spawn.env = {fmt::format("{}=1", job_message::kVariable)};
  Job& job =
      context.jobs().add(args.line, std::make_unique<Background>(TRY(Background::start(spawn))));
  Document out;
  out.set("id", Value(job.id()));
  out.set("command", Value(job.line()));
  out.text = fmt::format("{} runs in the background: {}", job.id(), job.line());
  out.next = {"info jobs", "job wait " + job.id(), "job stop " + job.id()};
  return out;
}

void note_none(Document& out) {
  if (out.rows.empty())
    out.notes.emplace_back(
        "there are no jobs; a line with & at its end starts one: profile -- ./app &");
}

Result<Document> info_jobs(const Jobs& jobs) {
  Document out;
  for (const auto& job : jobs.all()) out.rows.push_back(row_of(*job));
  note_none(out);
  if (!jobs.all().empty()) out.next = {"job show " + jobs.all().back()->id()};
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
  const Row row = row_of(job);
  const std::vector<Column> columns = job_columns();
  for (std::size_t i = 0; i < columns.size(); ++i) out.set(columns[i].name, row[i]);
  out.set("output", Value(job.output()));
  out.set("remarks", Value(job.remarks()));
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
  Document out;
  std::vector<Job*> wanted;
  if (args.job.empty()) {
    for (const auto& job : jobs.all()) wanted.push_back(job.get());
  } else {
    wanted.push_back(TRY(jobs.find(args.job)));
  }
  for (Job* job : wanted) {
    TRY(wait_for(monitor, *job));
    job->told = true;
    out.rows.push_back(row_of(*job));
    if (job->state() == Job::State::failed) out.exit_code = job->exit_status();
  }
  note_none(out);
  if (wanted.size() == 1) out.next = {"job show " + wanted.front()->id()};
  return out;
}

Result<Document> stop_job(const JobArgs& args, const Jobs& jobs) {
  Job& job = *TRY(jobs.find(args.job));
  const bool ran = job.state() == Job::State::running;
  job.stop();
  job.told = true;
  Document out;
  out.rows.push_back(row_of(job));
  if (!ran) out.notes.push_back(fmt::format("{} had ended before", job.id()));
  out.next = {"job show " + job.id()};
  return out;
}

}  // namespace

bool may_leave(const Jobs& jobs, Face& face) {
  const std::size_t running = jobs.running();
  if (running == 0) return true;
  return face.confirm(running == 1
                          ? "a job still runs; stop it and leave?"
                          : fmt::format("{} jobs still run; stop them and leave?", running),
                      true);
}

std::vector<std::string> end_jobs(const Jobs& jobs) {
  std::vector<std::string> out;
  for (const auto& job : jobs.all()) {
    if (job->state() != Job::State::running) continue;
    job->stop();
    out.push_back(fmt::format("{} still ran and was stopped: {}; 'job wait' waits for it",
                              job->id(), job->line()));
  }
  return out;
}

void add_job_commands(Registry& registry) {
  add(registry,
      command<JobLineArgs>(
          Command{.path = "background",
                  .chapter = Class::running,
                  .summary = "Run a line in the background: `LINE &`.",
                  .help = "The line runs in a shell of its own, with what is current here opened "
                          "from its files and what is set here set; `$variables` "
                          "and ids are replaced before. When it has ended the prompt says so, `job "
                          "show` prints what it printed and opens what it "
                          "opened. Commands that work on this shell (`set`, `open`, stepping) have "
                          "no such form. Jobs that still run when this shell "
                          "ends are stopped.",
                  .fields = {{"id", Type::string, Unit::none, "j1, j2, …"},
                             {"command", Type::string, Unit::none, "its line"}},
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
                      .chapter = Class::status,
                      .summary = "List the lines that run in the background, and those that ran.",
                      .help = "`LINE &` starts one, `job show` prints what it printed, `job stop` "
                              "ends it, `job wait` waits for it.",
                      .columns = job_columns(),
                      .scalar = "id",
                      .examples = {"info jobs"}},
              info_jobs));
  std::vector<Column> shown = job_columns();
  shown.push_back(
      {"output", Type::string, Unit::none, "what its line printed so far, at most 8 MiB"});
  shown.push_back({"remarks", Type::string, Unit::none, "its notes and errors"});
  add(registry,
      command(Command{.path = "job show",
                      .chapter = Class::running,
                      .summary = "Print what a job printed, and open what it opened.",
                      .help = "Without a name, of the latest job. Recordings and the rest that an "
                              "ended job opened (`profile -- ./app &`) are opened here the "
                              "first time, as though its line had run here.",
                      .fields = std::move(shown),
                      .scalar = "state",
                      .examples = {"job show"},
                      .changes_program = true},
              {arg("job", &JobArgs::job, "j1, j2, …; default: the latest")}, show_job));
  add(registry, command(Command{.path = "job wait",
                                .chapter = Class::running,
                                .summary = "Wait until a job has ended, or all.",
                                .help = "Ctrl-C ends the waiting, not the job. The exit status is "
                                        "that of the last job that failed.",
                                .columns = job_columns(),
                                .scalar = "state",
                                .examples = {"job wait"}},
                        {arg("job", &JobArgs::job, "j1, j2, …; default: all")}, wait_jobs));
  add(registry, command(Command{.path = "job stop",
                                .chapter = Class::running,
                                .summary = "Stop a job and what it started.",
                                .help = "As Ctrl-C would: it gets two seconds to end by itself. "
                                        "What it recorded until then is kept where it writes it.",
                                .columns = job_columns(),
                                .scalar = "state",
                                .examples = {"job stop"},
                                .changes_program = true},
                        {arg("job", &JobArgs::job, "j1, j2, …; default: the latest")}, stop_job));
}

}  // namespace rpl
