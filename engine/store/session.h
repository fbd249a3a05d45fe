// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"
#include "engine/store/database.h"
#include "engine/store/foreign.h"

namespace rpl {

/// What can be kept of a session.
enum class SessionEventKind {
  opened,      ///< a trace was opened
  asked,       ///< a line is about to run
  answered,    ///< its result is about to be shown; `about` is the asked event
  printed,     ///< a script is about to print or show something; `about` is the asked event
  setting,     ///< a setting or variable was changed
  defined,     ///< a command, hook or alias was defined
  optimizing,  ///< a kernel was chosen to be made faster: the whole record
  measured,    ///< something was measured that is not a proposal: the whole record, raw samples too
  proposal,    ///< a proposal was made or reached a state: the whole record
  model,       ///< a language model was asked, or what it said was refused
  tuning,      ///< a tuning began or ended: the whole record
  evaluation,  ///< a configuration of a tuning was measured, or failed
  application,  ///< an application whose kernels are to become faster began or reached a stage: the whole record
};
std::string_view to_string(SessionEventKind kind);

struct NewSessionEvent {
  SessionEventKind kind = SessionEventKind::asked;
  std::string what;  ///< the line, path or name, for people
  Value body;        ///< everything else, a Record
  std::optional<std::int64_t> about = {};
};

/// Who writes: one run of the program. Becomes a row when the run appends its first event.
struct SessionRun {
  std::string version;
  std::vector<std::string> arguments;
};

struct SessionEvent {
  std::int64_t id = 0;  ///< 1, 2, … in the order of writing, over all runs
  std::int64_t run = 0;
  std::int64_t time_unix_ns = 0;
  std::string kind;
  std::string what;
  std::string body;  ///< JSON
  std::optional<std::int64_t> about;
};

/// One line of the log: an event, and for a question how it was answered.
struct SessionLogLine {
  SessionEvent event;
  std::optional<std::int64_t> exit;  ///< none: not answered (still running, or killed)
  std::optional<std::int64_t> elapsed_ns;
  std::optional<std::string> schema;  ///< of the result
};

struct SessionFacts {
  std::string path;
  std::int64_t schema_version = 0;
  std::int64_t runs = 0;
  std::int64_t events = 0;
  std::int64_t unanswered = 0;  ///< questions without an answer: killed, or still running elsewhere
  /// Events that were written and are not there, or are there twice: events are never deleted, so that the file is damaged where it is not 0.
  std::int64_t missing = 0;
  std::optional<std::int64_t> first_unix_ns, last_unix_ns;
  std::uint64_t size_bytes = 0;  ///< with its write-ahead log
};

/// The append-only event log in FOLDER/session.db. Several processes may append at once.
///
/// Each append is one committed transaction when it returns, in WAL mode with synchronous=NORMAL: it is in the operating
/// system's hands, so that killing the process at any point loses nothing. A power failure may lose the last
/// events, never the file. Triggers refuse to change or delete what was written.
class Session {
 public:
  /// Creates folder and file when absent. Fails with corrupt for a foreign file, unsupported for a newer one, io or
  /// denied when the folder cannot be written; each names the path.
  static Result<std::unique_ptr<Session>> open(const std::string& folder, SessionRun run);
  static std::string path_in(const std::string& folder);
  /// A symbolic link in a session's folder, at any depth, or the folder itself where it is named relative to the working folder: what is kept there would be
  /// written elsewhere. Empty when there is none.
  static std::string link_in(const std::string& folder);
  /// The same of a session that somebody else made: nothing is written, not even beside it, and nothing of its schema is believed. append() fails with
  /// denied. Fails as ForeignDatabase::open() does.
  static Result<std::unique_ptr<Session>> look_at(const std::string& folder);
  /// The random text that names the session in FOLDER/identity; "" for none. Not a proof: whoever has the folder has it.
  static std::string identity_of(const std::string& folder);
  /// Makes one before the session is made. Fails with io.
  static Result<std::string> make_identity(const std::string& folder);

  /// Returns the event's id. Works while the interrupt flag is up.
  Result<std::int64_t> append(const NewSessionEvent& event);

  [[nodiscard]] Result<SessionFacts> facts();
  /// The last `limit` lines, oldest first; answers are joined to their questions.
  [[nodiscard]] Result<std::vector<SessionLogLine>> log(std::int64_t limit);
  /// All events in order, until `visit` returns false.
  Status each_event(const std::function<bool(const SessionEvent&)>& visit);
  /// The events of one kind in order.
  Result<std::vector<SessionEvent>> events_of(SessionEventKind kind);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// What belongs to the session and is not an event stands beside the database. Absolute.
  [[nodiscard]] std::string folder() const;

 private:
  Session(Database database, std::string path, SessionRun run);
  [[nodiscard]] Database& database() { return foreign_ ? foreign_->database() : database_; }
  Result<std::int64_t> run_id();

  Database database_;
  std::shared_ptr<ForeignDatabase> foreign_ = nullptr;  ///< instead of database_: looked at
  std::string path_;
  SessionRun run_;
  std::optional<std::int64_t> run_id_;
  Statement insert_;
};

}  // namespace rpl
