// SPDX-License-Identifier: MIT
#include "engine/store/session.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "engine/base/entropy.h"
#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/policy.h"
#include "engine/document/json.h"

namespace rpl {
namespace {

constexpr std::int32_t kApplicationId = 0x52504C53;  // "RPLS"
constexpr auto kCreationDeadline = std::chrono::seconds(5);

constexpr std::array<Migration, 1> kSchema = {{
    {R"sql(
CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  started_unix_ns INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  folder TEXT NOT NULL,
  arguments TEXT NOT NULL
) STRICT;
CREATE TABLE event(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES run(id),
  time_unix_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  about INTEGER REFERENCES event(id),
  what TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT;
CREATE INDEX event_about ON event(about) WHERE about IS NOT NULL;
CREATE TRIGGER event_stays BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event
  BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
)sql"},
}};

constexpr std::string_view kInsertRun =
    "INSERT INTO run(started_unix_ns, pid, version, folder, arguments) VALUES(?, ?, ?, ?, ?)";
constexpr std::string_view kInsertEvent =
    "INSERT INTO event(run, time_unix_ns, kind, about, what, body) VALUES(?, ?, ?, ?, ?, ?)";
constexpr std::string_view kEvents =
    "SELECT id, run, time_unix_ns, kind, what, body, about FROM event ORDER BY id";
constexpr std::string_view kEventsOfKind =
    "SELECT id, run, time_unix_ns, kind, what, body, about FROM event WHERE kind = ? ORDER BY id";
constexpr std::string_view kLog =
    "SELECT e.id, e.run, e.time_unix_ns, e.kind, e.what, e.body, e.about,"
    " json_extract(a.body, '$.exit'), json_extract(a.body, '$.elapsed_ns'),"
    " json_extract(a.body, '$.schema')"
    " FROM (SELECT * FROM event WHERE kind NOT IN ('answered', 'printed') ORDER BY id DESC LIMIT "
    "?) AS e"
    " LEFT JOIN event AS a ON a.about = e.id AND a.kind = 'answered' ORDER BY e.id";
constexpr std::string_view kFacts =
    "SELECT (SELECT count(*) FROM run), count(*), min(time_unix_ns), max(time_unix_ns),"
    " coalesce(sum(kind = 'asked'), 0) - coalesce(sum(kind = 'answered'), 0),"
    " (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'event') - count(*),"
    " coalesce(max(id), 0) - count(*) FROM event";

std::int64_t now_unix_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

SessionEvent read_event(const Statement& row) {
  SessionEvent event;
  event.id = row.int64(0);
  event.run = row.int64(1);
  event.time_unix_ns = row.int64(2);
  event.kind = row.text(3);
  event.what = row.text(4);
  event.body = row.text(5);
  if (!row.is_null(6)) event.about = row.int64(6);
  return event;
}

/// A folder that somebody sent can hold everything of a session but the database.
Status make_session_folder(const std::string& folder) {
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(Session::path_in(folder), ignored);
  if (const std::string link = is_new ? Session::link_in(folder) : ""; !link.empty()) {
    return fail(Errc::denied,
                fmt::format("no session is made in {}: {} is a symbolic link", folder, link),
                "remove the link, or choose another folder with --session DIR");
  }
  Status made = make_private_folder(folder);
  if (made) return made;
  return Failure(
      std::move(made).error().or_hint("name a folder that can be written with --session DIR"));
}

/// Views in the place of tables answer without an end, and triggers would add what nobody was shown to what is stored.
Status check_schema(Database& database, const std::string& path) {
  Statement all = TRY(database.prepare("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL"));
  bool has_events = false;
  while (TRY(all.step())) {
    const std::string name(all.text(0)), sql(all.text(1));
    const bool ours = std::ranges::any_of(
        kSchema, [&](const Migration& one) { return one.sql.find(sql) != std::string_view::npos; });
    if (name.starts_with("sqlite_") || ours) {
      has_events |= name == "event";
      continue;
    }
    return fail(
        Errc::corrupt,
        fmt::format("{} is no session of rpl: it holds '{}', which rpl does not make", path, name),
        "choose another folder with --session DIR");
  }
  if (has_events) return {};
  return fail(Errc::corrupt, fmt::format("{} is no session of rpl", path),
              "choose another folder with --session DIR");
}

Result<Database> open_file(const std::string& path) {
  Database database = TRY(Database::open(path));
  TRY(database.migrate(kSchema, kApplicationId));
  TRY(check_schema(database, path));
  // An answer is kept although Ctrl-C stopped what was asked; the statements here are short.
  sqlite3_progress_handler(database.handle(), 0, nullptr, nullptr);
  return database;
}

/// Two processes that create the file at once: SQLite does not wait for the change to WAL mode as it waits for locks.
Result<Database> open_patiently(const std::string& path) {
  const auto deadline = std::chrono::steady_clock::now() + kCreationDeadline;
  while (true) {
    auto database = open_file(path);
    const bool retry = !database && database.error().code == Errc::io &&
                       database.error().message.find("locked") != std::string::npos;
    if (!retry || interrupt::pending() || std::chrono::steady_clock::now() > deadline)
      return database;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

constexpr std::size_t kIdentityDigits = 32;

std::string identity_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "identity").string();
}

std::uint64_t size_on_disk(const std::string& path) {
  std::uint64_t size = 0;
  for (const std::string& name : {path, path + "-wal"}) {
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(name, absent);
    if (!absent) size += bytes;
  }
  return size;
}

}  // namespace

std::string_view to_string(SessionEventKind kind) {
  switch (kind) {
    case SessionEventKind::opened:
      return "opened";
    case SessionEventKind::asked:
      return "asked";
    case SessionEventKind::answered:
      return "answered";
    case SessionEventKind::printed:
      return "printed";
    case SessionEventKind::setting:
      return "setting";
    case SessionEventKind::defined:
      return "defined";
    case SessionEventKind::optimizing:
      return "optimizing";
    case SessionEventKind::measured:
      return "measured";
    case SessionEventKind::proposal:
      return "proposal";
    case SessionEventKind::model:
      return "model";
    case SessionEventKind::tuning:
      return "tuning";
    case SessionEventKind::evaluation:
      return "evaluation";
    case SessionEventKind::application:
      return "application";
  }
  return "asked";
}

Session::Session(Database database, std::string path, SessionRun run)
    : database_(std::move(database)), path_(std::move(path)), run_(std::move(run)) {}

std::string Session::path_in(const std::string& folder) {
  return (std::filesystem::path(folder) / "session.db").string();
}

std::string Session::link_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (fs::path(folder).is_relative() && fs::is_symlink(folder, failed)) return folder;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code none;
    if (at->is_symlink(none)) return at->path().string();
  }
  return "";
}

Result<std::unique_ptr<Session>> Session::open(const std::string& folder, SessionRun run) {
  const std::string path = path_in(folder);
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(path, ignored);
  TRY(make_session_folder(folder));
  own_folder(folder);
  auto database = open_patiently(path);
  if (!database) return Failure(std::move(database).error().in(path));
  // It holds sources and what was typed; what SQLite writes beside it later has the mode of the database. Nothing else may open and close the file
  // meanwhile: that would take SQLite's locks away.
  for (const char* part : {"", "-wal", "-shm"}) {
    using std::filesystem::perms;
    if (is_new)
      std::filesystem::permissions(path + part, perms::owner_read | perms::owner_write, ignored);
  }
  std::unique_ptr<Session> session(new Session(std::move(*database), path, std::move(run)));
  session->insert_ = TRY(session->database_.prepare(kInsertEvent));
  return session;
}

Result<std::int64_t> Session::run_id() {
  if (run_id_) return *run_id_;
  List arguments;
  for (const std::string& argument : run_.arguments) arguments.emplace_back(argument);
  std::error_code ignored;
  Statement insert = TRY(database().prepare(kInsertRun));
  TRY(insert.bind(now_unix_ns(), std::int64_t{getpid()}, run_.version,
                  std::filesystem::current_path(ignored).string(),
                  to_json(Value(std::move(arguments)))));
  TRY(insert.run());
  run_id_ = database().last_insert_id();
  return *run_id_;
}

Result<std::int64_t> Session::append(const NewSessionEvent& event) {
  if (foreign_ != nullptr)
    return fail(Errc::denied, fmt::format("{} is only looked at: it is not yours", path_),
                "'trust session' shows what it would run, and asks");
  const std::int64_t run = TRY(run_id());
  const Value body = event.body.is_null() ? Value(Record{}) : event.body;
  TRY(insert_.bind(run, now_unix_ns(), to_string(event.kind), event.about, event.what,
                   to_json(body)));
  TRY(insert_.run());
  return database().last_insert_id();
}

Result<std::unique_ptr<Session>> Session::look_at(const std::string& folder) {
  const std::string path = path_in(folder);
  auto foreign = TRY(ForeignDatabase::open(path));
  if (TRY(foreign->database().scalar("PRAGMA application_id")) != kApplicationId)
    return fail(Errc::corrupt, fmt::format("{} is no session of rpl", path));
  TRY(check_schema(foreign->database(), path));
  std::unique_ptr<Session> session(new Session(Database(), path, {}));
  session->foreign_ = std::move(foreign);
  return session;
}

std::string Session::identity_of(const std::string& folder) {
  std::string text = first_bytes(identity_file(folder), kIdentityDigits);
  const bool whole = text.size() == kIdentityDigits &&
                     text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return whole ? text : "";
}

Result<std::string> Session::make_identity(const std::string& folder) {
  TRY(make_session_folder(folder));
  own_folder(folder);
  std::string text;
  while (text.size() < kIdentityDigits)
    text += fmt::format("{:08x}", static_cast<std::uint32_t>(system_entropy()));
  TRY(write_file(identity_file(folder), text + "\n"));
  return text;
}

Result<SessionFacts> Session::facts() {
  SessionFacts facts;
  facts.path = path_;
  facts.schema_version = TRY(database().scalar("PRAGMA user_version")).value_or(0);
  Statement row = TRY(database().prepare(kFacts));
  if (TRY(row.step())) {
    facts.runs = row.int64(0);
    facts.events = row.int64(1);
    if (!row.is_null(2)) facts.first_unix_ns = row.int64(2);
    if (!row.is_null(3)) facts.last_unix_ns = row.int64(3);
    facts.unanswered = row.int64(4);
    facts.missing = std::max(std::abs(row.int64(5)), std::abs(row.int64(6)));
  }
  facts.size_bytes = size_on_disk(path_);
  return facts;
}

Result<std::vector<SessionLogLine>> Session::log(std::int64_t limit) {
  Statement row = TRY(database().prepare(kLog));
  TRY(row.bind(limit));
  std::vector<SessionLogLine> lines;
  while (TRY(row.step())) {
    SessionLogLine line;
    line.event = read_event(row);
    if (!row.is_null(7)) line.exit = row.int64(7);
    if (!row.is_null(8)) line.elapsed_ns = row.int64(8);
    if (!row.is_null(9)) line.schema = std::string(row.text(9));
    lines.push_back(std::move(line));
  }
  return lines;
}

Status Session::each_event(const std::function<bool(const SessionEvent&)>& visit) {
  Statement row = TRY(database().prepare(kEvents));
  while (TRY(row.step())) {
    if (!visit(read_event(row))) break;
  }
  return {};
}

Result<std::vector<SessionEvent>> Session::events_of(SessionEventKind kind) {
  Statement row = TRY(database().prepare(kEventsOfKind));
  TRY(row.bind(to_string(kind)));
  std::vector<SessionEvent> out;
  while (TRY(row.step())) out.push_back(read_event(row));
  return out;
}

std::string Session::folder() const {
  std::error_code ignored;
  return std::filesystem::absolute(path_, ignored).lexically_normal().parent_path().string();
}

}  // namespace rpl
