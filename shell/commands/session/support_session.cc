// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fstream>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/document/json_text.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/run/trust.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// ISO 8601 in UTC with milliseconds.
std::string utc(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / kNsPerSecond);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds),
                     unix_ns % kNsPerSecond / 1'000'000);
}

Value utc(const std::optional<std::int64_t>& unix_ns) {
  return unix_ns ? Value(utc(*unix_ns)) : Value();
}

/// Nothing kept is an empty answer, not a failure.
Result<Session*> session_or_null(SessionLog& log, Document& document) {
  auto session = log.existing();
  if (session || session.error().code != Errc::not_found) return session;
  document.notes.push_back(fmt::format("{}; {}", session.error().message, session.error().hint));
  return nullptr;
}

Result<Document> session_info(SessionLog& log) {
  Document document;
  Session* session = TRY(session_or_null(log, document));
  const SessionFacts facts = session == nullptr ? SessionFacts() : TRY(session->facts());
  document.set("path", session == nullptr ? Value() : Value(facts.path));
  document.set("schema_version", Value(facts.schema_version));
  document.set("runs", Value(facts.runs));
  document.set("events", Value(facts.events));
  document.set("unanswered", Value(facts.unanswered));
  document.set("first", utc(facts.first_unix_ns));
  document.set("last", utc(facts.last_unix_ns));
  document.set("size_bytes", Value(facts.size_bytes));
  if (session != nullptr) document.next = {"session log", "info proposals", "session export FILE"};
  return document;
}

struct LogArgs {
  std::int64_t limit = 20;
};

Row log_row(const SessionLogLine& line) {
  return {Value(line.event.id),   Value(line.event.run),  Value(utc(line.event.time_unix_ns)),
          Value(line.event.kind), Value(line.event.what), Value(line.exit),
          Value(line.elapsed_ns), Value(line.schema)};
}

Result<Document> session_log(const LogArgs& args, SessionLog& log) {
  Document document;
  Session* session = TRY(session_or_null(log, document));
  if (session == nullptr) return document;
  const std::int64_t limit = std::max<std::int64_t>(args.limit, 0);
  for (const SessionLogLine& line : TRY(session->log(limit))) {
    document.rows.push_back(log_row(line));
  }
  return document;
}

std::string event_json(const SessionEvent& event) {
  JsonStream out(kJsonCompact);
  out.members({{"schema", Value("rpl.session.event/1")},
               {"id", Value(event.id)},
               {"run", Value(event.run)},
               {"time", Value(utc(event.time_unix_ns))},
               {"kind", Value(event.kind)},
               {"about", Value(event.about)},
               {"what", Value(event.what)}});
  out.member_text("body", event.body);
  return out.line();
}

Result<Document> session_export(const FileArgs& args, SessionLog& log) {
  Document document;
  Session* session = TRY(session_or_null(log, document));
  std::ofstream file(args.file, std::ios::binary | std::ios::trunc);
  std::uint64_t events = 0;
  if (session != nullptr) {
    TRY(session->each_event([&](const SessionEvent& event) {
      file << event_json(event);
      ++events;
      return file.good();
    }));
  }
  file.close();
  if (!file) {
    return fail(Errc::io, fmt::format("cannot write {}", args.file), "choose another file");
  }
  document.set("file", Value(args.file));
  document.set("events", Value(events));
  document.text = fmt::format("{} events in {}\n", events, args.file);
  return document;
}

struct TrustArgs {
  std::vector<std::string> file;
};

Result<Document> trust(const TrustArgs& args) {
  Document document;
  const bool named = !args.file.empty();
  for (const std::string& file : named ? args.file : project_init_files()) {
    const auto content = read_text_file(file);
    if (!content && !named && content.error().code == Errc::not_found) continue;
    const std::string text = TRY(read_text_file(file));
    TRY(TrustStore::standard().trust(file, text));
    document.rows.push_back({Value(file), Value(sha256_hex(text))});
  }
  if (document.rows.empty()) document.notes.emplace_back("no .rpl/init.rpl or .rpl/init.lua here");
  return document;
}

Command info_definition() {
  Command command;
  command.path = "session info";
  command.chapter = Class::files;
  command.summary = "Show where the session is kept and how much is in it.";
  command.help =
      "A session keeps what was opened, asked and answered in `.rpl/session.db`, or in DIR with "
      "`--session DIR`. The folder appears with the first trace "
      "that is opened at the prompt or in a script; single commands and `-batch` write into a "
      "folder that exists and create none. Events are never changed; "
      "killing the program at any point loses nothing that was shown.";
  command.fields = {
      {"path", Type::string, Unit::none, "the database; unknown when nothing is kept"},
      {"schema_version", Type::integer, Unit::none, "of the database"},
      {"runs", Type::integer, Unit::count, "of rpl that wrote into it"},
      {"events", Type::integer, Unit::count, "in all"},
      {"unanswered", Type::integer, Unit::count,
       "questions without an answer: killed, or still running"},
      {"first", Type::string, Unit::none, "time of the first event, UTC"},
      {"last", Type::string, Unit::none, "time of the last event, UTC"},
      {"size_bytes", Type::integer, Unit::bytes, "on disk, with its write-ahead log"}};
  command.scalar = "path";
  command.examples = {"session info"};
  return command;
}

Command log_definition() {
  Command command;
  command.path = "session log";
  command.chapter = Class::files;
  command.summary = "List what was opened, asked and answered.";
  command.help =
      "The last events, oldest first; an answer stands in the row of its question. `session "
      "export` writes everything.";
  command.columns = {
      {"event", Type::integer, Unit::none, "number, over all runs"},
      {"run", Type::integer, Unit::none, "number of the run of rpl"},
      {"time", Type::string, Unit::none, "UTC"},
      {"kind", Type::string, Unit::none, "opened, asked, setting or defined"},
      {"what", Type::string, Unit::none, "the line, path or name"},
      {"exit", Type::integer, Unit::none, "exit status; unknown when it was not answered"},
      {"elapsed_ns", Type::integer, Unit::ns, "until the answer"},
      {"result", Type::string, Unit::none, "schema of the answer"}};
  command.scalar = "what";
  command.examples = {"session log", "session log --limit 5"};
  return command;
}

Command export_definition() {
  Command command;
  command.path = "session export";
  command.chapter = Class::files;
  command.summary = "Write the session as JSON lines.";
  command.help =
      "One event a line, `rpl.session.event/1`: id, run, time, kind, about (the question of an "
      "answer), what, body.";
  command.fields = {{"file", Type::string, Unit::none, "that was written"},
                    {"events", Type::integer, Unit::count, "in it"}};
  command.scalar = "events";
  command.changes_program = true;
  command.examples = {"session export session.jsonl"};
  return command;
}

}  // namespace

void add_session_commands(Registry& registry) {
  add(registry, command(info_definition(), session_info));
  add(registry,
      command<LogArgs>(log_definition(),
                       {option("limit", &LogArgs::limit, "at most so many events")}, session_log));
  add(registry,
      command<FileArgs>(
          export_definition(),
          {arg("file", &FileArgs::file, "where to write").required().completes(Complete::file)},
          session_export));

  Command trusting;
  trusting.path = "trust";
  trusting.summary = "Allow a project's init files to run.";
  trusting.help =
      "`.rpl/init.rpl` and `.rpl/init.lua` of the current folder run at start only when a person "
      "has trusted this very content: the path and the SHA-256 are "
      "remembered, a changed file asks again. The prompt asks by itself; in scripts untrusted "
      "files are skipped.";
  trusting.columns = {{"file", Type::string, Unit::none, "now trusted"},
                      {"sha256", Type::string, Unit::none, "of its content"}};
  trusting.scalar = "file";
  trusting.changes_program = true;
  trusting.examples = {"trust"};
  add(registry,
      command<TrustArgs>(std::move(trusting),
                         {arg("file", &TrustArgs::file, "a file; else those of the current folder")
                              .completes(Complete::file)},
                         trust));
}

}  // namespace rpl
