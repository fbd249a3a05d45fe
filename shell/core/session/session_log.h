// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/document/document.h"
#include "engine/store/session.h"

namespace rpl {

/// Writes what is typed into a .rpl file that `source` replays. A line is written when it has run, at once, so that a killed
/// program leaves a usable file; a line that failed is left as a comment.
class Recorder {
 public:
  /// Fails with denied when one is being written or the file exists, io when it cannot be created.
  Status start(const std::string& path, std::string_view version);
  /// How many lines were written; usage when nothing is being recorded.
  Result<std::uint64_t> stop();
  [[nodiscard]] bool on() const { return file_.get() >= 0; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// A line was read: a command, or a line of a definition's body.
  void read(std::string_view line);
  /// The lines read since the last call have run with this exit status. Fails with io when the file cannot be written; recording is then over.
  Status ran(int exit);

 private:
  Status write(std::string_view text);

  UniqueFd file_;
  std::string path_;
  std::vector<std::string> lines_;
  std::uint64_t written_ = 0;
};

class ProposalStore;

/// Writes what is opened, asked and answered into the session's log, and decides when its folder appears:
/// - `--session DIR`: at once, in DIR;
/// - otherwise in `.rpl` of the current folder: whenever that exists already; at the prompt and in scripts with the first trace that is
///   opened (with the latest 500 events of what was asked before); a single command and `-batch` leave nothing behind.
/// A log that cannot be written never stops the work: that is said once, as a note.
class SessionLog {
 public:
  enum class Create { never, with_first_trace, at_once };
  struct Options {
    std::string folder = ".rpl";
    Create create = Create::never;
    SessionRun run = {};
  };
  /// Names a question until its answer is kept; 0: nothing is being kept.
  using Question = std::int64_t;

  /// `monitor` hears once when the log cannot be written; it must outlive this.
  explicit SessionLog(const Monitor& monitor) : monitor_(monitor) {}

  /// Creates the session if that is wanted at once; fails only then. To be called once, at start.
  Status start(Options options);

  /// Before a line runs.
  Question asked(std::string_view line);
  /// Before its result is shown.
  void answered(Question question, const Result<Document>& result,
                std::chrono::nanoseconds elapsed);
  /// Before a script's text or table is shown. Up to 64 KiB for each question; the answer counts the rest.
  void printed(Question question, std::string_view text);
  /// Creates the session where that is wanted. Before the trace is announced.
  void opened(std::string_view id, const std::vector<std::string>& paths);
  void append(SessionEventKind kind, std::string_view what, Record body);

  /// Null until something is worth keeping.
  [[nodiscard]] const std::shared_ptr<Session>& session() const { return session_; }
  /// The session, created when there is none: for work that is worth keeping whatever way it was asked for. Fails when it cannot be, with denied for one
  /// that is not the user's (known_sessions.h).
  Result<Session*> needed();
  /// The session that exists, opened for reading when need be; not_found with what creates one. One that is not the user's is only looked at.
  Result<Session*> existing();
  /// The same for what builds, runs or writes what is kept there: fails with denied for one that is not the user's.
  Result<Session*> existing_own();
  /// Where it is kept.
  [[nodiscard]] const std::string& folder() const { return options_.folder; }
  /// A person said yes to the session that is there: it is opened anew.
  void trusted();
  /// What the loop keeps in it, as the last command of the loop left it, for the prompt; null before the first.
  [[nodiscard]] const std::shared_ptr<ProposalStore>& proposals() const { return proposals_; }
  void set_proposals(std::shared_ptr<ProposalStore> proposals) {
    proposals_ = std::move(proposals);
  }
  /// Whether there is one, opened or not.
  [[nodiscard]] bool has_session() const;
  /// Removes a session that the command which just failed created and put nothing into: no proposal, no request to a model. Only of a program that
  /// would not have kept one otherwise. `before`: has_session() when the command began.
  void forget_empty(bool before);

  /// Hears what is wrong with what was kept.
  [[nodiscard]] const Monitor& monitor() const { return monitor_; }
  /// Writes what is typed into a file that `source` replays.
  [[nodiscard]] Recorder& recorder() { return recorder_; }

 private:
  Question store(NewSessionEvent event, Question about);
  Result<Session*> found();
  void say_what_is_missing(Session& session);
  /// The id that a pending event got; nullopt for one that was forgotten.
  [[nodiscard]] std::optional<std::int64_t> written(std::int64_t number) const;
  /// Opens the session that is there, or makes it; fails with denied for one that is not the user's.
  Result<std::shared_ptr<Session>> open_own() const;
  bool create();
  void complain(const Error& error);

  const Monitor& monitor_;
  std::shared_ptr<Session> session_;
  std::shared_ptr<Session> looked_at_;        ///< of somebody else
  std::shared_ptr<ProposalStore> proposals_;  ///< of `session_`
  Options options_;
  std::deque<NewSessionEvent>
      pending_;  ///< asked before the session exists; `about` counts from 1 among them and those that are forgotten
  std::int64_t forgotten_ = 0;         ///< how many were dropped from its front
  std::vector<std::int64_t> written_;  ///< the ids that pending events got
  Question printing_ = 0;              ///< the question that prints now
  std::size_t printed_bytes_ = 0;      ///< of its text so far
  bool looked_for_missing_ = false;
  bool given_up_ = false;
  Recorder recorder_;
};

/// What is kept of a result: its fields, its first rows up to a size, and how many were left out.
Record kept_result(const Document& document);

}  // namespace rpl
