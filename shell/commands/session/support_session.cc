// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/base/sha256.h"
#include "engine/document/bound.h"
#include "engine/document/json.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/run/init_files.h"
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

template <auto time>
std::optional<std::string> utc_of(const SessionFacts& facts) {
  return facts.*time ? std::optional(utc(*(facts.*time))) : std::nullopt;
}

using Facts = SessionFacts;

constexpr auto kSessionFields = bound_to<Facts>(
    column<&Facts::path>("path", "the database; unknown when nothing is kept").or_null(),
    column<&Facts::schema_version>("schema_version", "of the database").in(Unit::none),
    column<&Facts::runs>("runs", "of rpl that wrote into it"),
    column<&Facts::events>("events", "in all"),
    column<&Facts::unanswered>("unanswered",
                               "questions without an answer: killed, or still running"),
    column<&Facts::missing>("missing",
                            "events that cannot be read, or are there twice: not 0 in a damaged "
                            "file")
        .in(Unit::none),
    column<&utc_of<&Facts::first_unix_ns>>("first", "time of the first event, UTC"),
    column<&utc_of<&Facts::last_unix_ns>>("last", "time of the last event, UTC"),
    column<&Facts::size_bytes>("size_bytes", "on disk, with its write-ahead log"));

using LogLine = SessionLogLine;

constexpr auto kLogColumns = bound_to<LogLine>(
    column<&LogLine::event, &SessionEvent::id>("event", "number, over all runs").in(Unit::none),
    column<&LogLine::event, &SessionEvent::run>("run", "number of the run of rpl").in(Unit::none),
    column<&LogLine::event, +[](const SessionEvent& event) { return utc(event.time_unix_ns); }>(
        "time", "UTC"),
    column<&LogLine::event, &SessionEvent::kind>("kind", "opened, asked, setting or defined"),
    column<&LogLine::event, &SessionEvent::what>("what", "the line, path or name"),
    column<&LogLine::exit>("exit", "exit status; unknown when it was not answered").in(Unit::none),
    column<&LogLine::elapsed_ns>("elapsed_ns", "until the answer"),
    column<&LogLine::schema>("result", "schema of the answer"));

struct Exported {
  std::string file;
  std::uint64_t events = 0;
};

constexpr auto kExportFields =
    bound_to<Exported>(column<&Exported::file>("file", "that was written"),
                       column<&Exported::events>("events", "in it"));

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
  document.put(kSessionFields, session == nullptr ? Facts() : TRY(session->facts()));
  if (session != nullptr) document.next = {"session log", "info proposals", "session export FILE"};
  return document;
}

struct LogArgs {
  std::int64_t limit = 20;
};

Result<Document> session_log(const LogArgs& args, SessionLog& log) {
  Document document;
  Session* session = TRY(session_or_null(log, document));
  if (session == nullptr) return document;
  document.table(kLogColumns, TRY(session->log(args.limit > 0 ? args.limit : INT64_MAX)));
  return document;
}

JsonText event_json(const SessionEvent& event) {
  JsonStream out(kJsonCompact);
  out.members({{"schema", Value("rpl.session.event/1")},
               {"id", Value(event.id)},
               {"run", Value(event.run)},
               {"time", Value(utc(event.time_unix_ns))},
               {"kind", Value(event.kind)},
               {"about", Value(event.about)},
               {"what", Value(event.what)}});
  out.member_text("body", json_already(event.body));
  return out.line();
}

Result<Document> session_export(const FileArgs& args, SessionLog& log) {
  Document document;
  Session* session = TRY(session_or_null(log, document));
  auto file = OutputFile::create(args.file, OutputFile::Place::named);
  if (!file && file.error().code != Errc::denied)
    return fail(file.error().code, file.error().message, "choose another file");
  if (!file) return Failure(file.error());
  Status written;
  std::uint64_t events = 0;
  if (session != nullptr) {
    TRY(session->each_event([&](const SessionEvent& event) {
      written = file->write(event_json(event));
      ++events;
      return written.has_value();
    }));
  }
  TRY(std::move(written));
  TRY(file->commit());
  document.put(kExportFields, Exported{args.file, events});
  document.text = fmt::format("{} events in {}\n", events, args.file);
  return document;
}

struct TrustArgs {
  std::vector<std::string> file;
};

struct Trusted {
  std::string file, sha256;
};

constexpr auto kTrustColumns =
    bound_to<Trusted>(column<&Trusted::file>("file", "now trusted"),
                      column<&Trusted::sha256>("sha256", "of its content"));

Result<Document> trust(const TrustArgs& args) {
  std::vector<Trusted> rows;
  const bool named = !args.file.empty();
  for (const std::string& file : named ? args.file : project_init_files()) {
    auto content = read_text_file(file);
    if (!content && !named && content.error().code == Errc::not_found) continue;
    const std::string text = TRY(std::move(content));
    // Nobody reads more before saying yes, and all of it is looked through for what it sources.
    constexpr std::size_t kMostBytes = std::size_t{4} << 20;
    if (text.size() > kMostBytes)
      return fail(Errc::limit,
                  fmt::format("{} has {}: too much to be trusted", file, format_bytes(text.size())),
                  "name a script; 4 MiB at most");
    const std::vector<ScriptText> scripts = TRY(with_sourced(file, text));
    TRY(TrustStore::standard().trust_all(scripts));
    for (const ScriptText& one : scripts) rows.push_back({one.path, sha256_hex(one.content)});
  }
  Document document;
  document.table(kTrustColumns, rows);
  if (rows.empty()) document.notes.emplace_back("no .rpl/init.rpl or .rpl/init.lua here");
  return document;
}

Command info_definition() {
  return {.path = "session info",
          .does = kKeeps,
          .chapter = Class::files,
          .summary = "Show where the session is kept and how much is in it.",
          .help =
              "A session keeps what was opened, asked and answered in `.rpl/session.db`, or in DIR "
              "with `--session DIR`. The folder appears with the first trace that is opened at the "
              "prompt or in a script; single commands and `-batch` write into a folder that exists "
              "and create none. Events are never changed; killing the program at any point loses "
              "nothing that was shown.",
          .fields = described(kSessionFields),
          .scalar = "path",
          .examples = {"session info"}};
}

Command log_definition() {
  return {.path = "session log",
          .does = kReads,
          .chapter = Class::files,
          .summary = "List what was opened, asked and answered.",
          .help =
              "The last events, oldest first; an answer stands in the row of its question. "
              "`session export` writes everything.",
          .columns = described(kLogColumns),
          .scalar = "what",
          .examples = {"session log", "session log --limit 5"}};
}

Command export_definition() {
  return {.path = "session export",
          .does = {Capability::read, Capability::write},
          .chapter = Class::files,
          .summary = "Write the session as JSON lines.",
          .help =
              "One event a line, `rpl.session.event/1`: id, run, time, kind, about (the question "
              "of an answer), what, body.",
          .fields = described(kExportFields),
          .scalar = "events",
          .examples = {"session export session.jsonl"},
          .changes_program = true};
}

}  // namespace

void add_session_commands(Registry& registry) {
  add(registry, command(info_definition(), session_info));
  add(registry,
      command<LogArgs>(
          log_definition(),
          {option("limit", &LogArgs::limit, "at most so many events; 0 lists all").in(at_least(0))},
          session_log));
  add(registry, command<FileArgs>(export_definition(),
                                  {arg("file", &FileArgs::file, "where to write")
                                       .required()
                                       .writes_file()
                                       .completes(Complete::file)},
                                  session_export));

  Command trusting{
      .path = "trust",
      .does = {Capability::trust},
      .summary = "Allow a project's init files to run.",
      .help =
          "`.rpl/init.rpl` and `.rpl/init.lua` of the current folder run at start "
          "only when a person has trusted this very content: the path and the SHA-256 "
          "are remembered, with those of the files that it sources; a changed file asks again. The "
          "prompt asks by itself; in "
          "scripts untrusted files are skipped.",
      .columns = described(kTrustColumns),
      .scalar = "file",
      .examples = {"trust"},
      .changes_program = true};
  add(registry,
      command<TrustArgs>(std::move(trusting),
                         {arg("file", &TrustArgs::file, "a file; else those of the current folder")
                              .completes(Complete::file)},
                         trust));
}

}  // namespace rpl
