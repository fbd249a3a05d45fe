// SPDX-License-Identifier: MIT
#include "shell/core/session/session_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engine/base/policy.h"
#include "engine/document/json.h"
#include "shell/core/session/known_sessions.h"

namespace rpl {
namespace {

/// Of one result, in JSON; what is beyond is counted. Enough for the tables that people read.
constexpr std::size_t kMaxResultBytes = 64 * 1024;
/// Rows taken from a result that makes them on demand: making them twice must stay cheap.
constexpr std::size_t kMaxStreamedRows = 200;
/// Events that wait for a session which may never be made.
constexpr std::size_t kMaxPending = 500;

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Record named_row(const Document& document, const Row& row) {
  Record record;
  for (std::size_t i = 0; i < row.size() && i < document.columns.size(); ++i) {
    record.emplace_back(document.columns[i].name, row[i]);
  }
  return record;
}

/// The first rows, as many as fit; the number that do not, null when nobody has counted them.
void keep_rows(const Document& document, std::size_t room, Record& out) {
  const bool streamed = static_cast<bool>(document.rows_from);
  List rows;
  bool all = true;
  const Status status = document.each_row([&](const Row& row) {
    Value value(named_row(document, row));
    const std::size_t size = to_json(value).size() + 1;
    all = size <= room && !(streamed && rows.size() >= kMaxStreamedRows);
    if (!all) return false;
    room -= size;
    rows.push_back(std::move(value));
    return true;
  });
  const std::uint64_t total = std::max<std::uint64_t>(document.total_rows, document.rows.size());
  const std::uint64_t kept = rows.size();
  out.emplace_back("rows", Value(std::move(rows)));
  if (all && status && total <= kept) return;
  out.emplace_back("rows_left_out", total > kept ? Value(total - kept) : Value());
}

void keep_text(const std::string& text, std::size_t room, Record& out) {
  out.emplace_back("text", Value(text.substr(0, room)));
  if (text.size() > room)
    out.emplace_back("bytes_left_out", Value(std::uint64_t{text.size() - room}));
}

Record error_record(const Error& error) {
  return {{"code", Value(to_string(error.code))},
          {"message", Value(error.message)},
          {"hint", Value(error.hint)}};
}

}  // namespace

Record kept_result(const Document& document) {
  Record out;
  std::size_t room = kMaxResultBytes;
  for (const auto& [name, value] : document.record) {
    const std::size_t size = to_json(value).size();
    if (size <= room) {
      room -= size;
      out.emplace_back(name, value);
    } else {
      out.emplace_back(name, Value());
      out.emplace_back(name + "_bytes_left_out", Value(std::uint64_t{size}));
    }
  }
  if (document.has_table()) keep_rows(document, room, out);
  if (out.empty() && !document.text.empty()) keep_text(document.text, room, out);
  if (!document.notes.empty()) {
    List notes;
    for (const std::string& note : document.notes) notes.emplace_back(note);
    out.emplace_back("notes", Value(std::move(notes)));
  }
  return out;
}

Status SessionLog::start(Options options) {
  options_ = std::move(options);
  // A session that is held to a policy reads and writes its own, wherever it was told to keep it.
  own_folder(options_.folder);
  if (options_.create != Create::at_once) return {};
  auto session = open_own();
  // Looking at somebody else's is possible, and says at once that nothing is kept.
  if (!session && session.error().code == Errc::denied) {
    complain(session.error());
    return {};
  }
  session_ = TRY(std::move(session));
  return {};
}

Result<std::shared_ptr<Session>> SessionLog::open_own() const {
  const KnownSessions known = KnownSessions::standard();
  const SessionStanding standing = known.standing(options_.folder);
  if (standing.kind == SessionStanding::Kind::foreign) {
    return fail(
        Errc::denied,
        fmt::format("{} {} and is only looked at", Session::path_in(options_.folder), standing.why),
        "'trust session' shows what it would run and write, and asks");
  }
  if (standing.kind == SessionStanding::Kind::none) {
    if (const Status claimed = known.claim(options_.folder); !claimed && monitor_.note) {
      monitor_.note(
          fmt::format("the session cannot be remembered as yours, and will only be "
                      "looked at the next time: {}",
                      claimed.error().message));
    }
  }
  return std::shared_ptr<Session>(TRY(Session::open(options_.folder, options_.run)));
}

void SessionLog::trusted() {
  looked_at_.reset();
  proposals_.reset();
  given_up_ = false;
}

bool SessionLog::create() {
  auto session = open_own();
  if (!session) {
    complain(session.error());
    return false;
  }
  session_ = std::move(*session);
  for (NewSessionEvent& event : pending_) {
    if (event.about) event.about = written(*event.about);
    const auto id = session_->append(event);
    if (!id) {
      complain(id.error());
      return false;
    }
    written_.push_back(*id);
  }
  pending_.clear();
  return true;
}

std::optional<std::int64_t> SessionLog::written(std::int64_t number) const {
  const std::int64_t at = number - forgotten_ - 1;
  if (at < 0 || at >= static_cast<std::int64_t>(written_.size())) return std::nullopt;
  return written_[static_cast<std::size_t>(at)];
}

void SessionLog::complain(const Error& error) {
  given_up_ = true;
  session_.reset();
  if (!monitor_.note) return;
  const bool hinted = error.code == Errc::denied && !error.hint.empty();
  monitor_.note(fmt::format("the session is not kept: {}{}{}", error.message, hinted ? "; " : "",
                            hinted ? error.hint : ""));
}

SessionLog::Question SessionLog::store(NewSessionEvent event, Question about) {
  if (given_up_) return 0;
  if (!session_ && exists(options_.folder) && !create()) return 0;
  if (session_) {
    if (about > 0) event.about = about;
    if (about < 0) event.about = written(-about);
    const auto id = session_->append(event);
    if (!id) complain(id.error());
    return id.value_or(0);
  }
  if (options_.create == Create::never) return 0;
  if (about < 0) event.about = -about;
  pending_.push_back(std::move(event));
  if (pending_.size() > kMaxPending) {
    pending_.pop_front();
    ++forgotten_;
  }
  return -(forgotten_ + static_cast<Question>(pending_.size()));
}

SessionLog::Question SessionLog::asked(std::string_view line) {
  return store({SessionEventKind::asked, std::string(line), Value()}, 0);
}

void SessionLog::answered(Question question, const Result<Document>& result,
                          std::chrono::nanoseconds elapsed) {
  if (question == 0) return;
  Record body{{"schema", Value(result ? result->schema : "rpl.error/1")},
              {"exit", Value(result ? result->exit_code : exit_status(result.error().code))},
              {"elapsed_ns", Value(std::int64_t{elapsed.count()})},
              {"result", Value(result ? kept_result(*result) : error_record(result.error()))}};
  if (printing_ == question && printed_bytes_ > kMaxResultBytes) {
    body.emplace_back("printed_bytes_left_out",
                      Value(std::uint64_t{printed_bytes_ - kMaxResultBytes}));
  }
  store({SessionEventKind::answered, "", Value(std::move(body))}, question);
}

void SessionLog::printed(Question question, std::string_view text) {
  if (question == 0) return;
  if (printing_ != question) printed_bytes_ = 0;
  printing_ = question;
  const std::size_t room = printed_bytes_ < kMaxResultBytes ? kMaxResultBytes - printed_bytes_ : 0;
  printed_bytes_ += text.size();
  if (room == 0) return;
  const std::string kept(text.substr(0, room));
  store({SessionEventKind::printed, kept, Value()}, question);
}

void SessionLog::opened(std::string_view id, const std::vector<std::string>& paths) {
  const bool wanted = !given_up_ && !session_ && options_.create != Create::never;
  if (wanted) create();
  List list;
  std::string what;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::string full = std::filesystem::absolute(path, error).string();
    what += (what.empty() ? "" : " ") + path;
    list.emplace_back(error ? path : full);
  }
  append(SessionEventKind::opened, what, {{"id", Value(id)}, {"paths", Value(std::move(list))}});
}

void SessionLog::append(SessionEventKind kind, std::string_view what, Record body) {
  store({kind, std::string(what), Value(std::move(body))}, 0);
}

Result<Session*> SessionLog::needed() {
  if (session_) return session_.get();
  if (KnownSessions::standard().standing(options_.folder).kind == SessionStanding::Kind::foreign)
    return Failure(open_own().error());
  if (given_up_ || !create()) {
    return fail(Errc::io, fmt::format("cannot keep a session in {}", options_.folder),
                "'--session DIR' chooses another folder");
  }
  return session_.get();
}

void SessionLog::say_what_is_missing(Session& session) {
  if (std::exchange(looked_for_missing_, true) || !monitor_.note) return;
  const auto facts = session.facts();
  if (!facts || facts->missing == 0) return;
  monitor_.note(
      fmt::format("{} is damaged: {} of its events cannot be read, or are there twice; what it "
                  "tells may be wrong",
                  session.path(), facts->missing));
}

Result<Session*> SessionLog::existing() {
  Session* const there = TRY(found());
  say_what_is_missing(*there);
  return there;
}

Result<Session*> SessionLog::found() {
  if (session_) return session_.get();
  if (!exists(Session::path_in(options_.folder))) {
    return fail(Errc::not_found, fmt::format("no session in {}", options_.folder),
                "--session DIR keeps one; the prompt does with the first trace that is opened");
  }
  if (KnownSessions::standard().standing(options_.folder).kind == SessionStanding::Kind::foreign) {
    if (!looked_at_) looked_at_ = TRY(Session::look_at(options_.folder));
    return looked_at_.get();
  }
  session_ = TRY(open_own());
  return session_.get();
}

Result<Session*> SessionLog::existing_own() {
  Session* there = TRY(existing());
  if (there != looked_at_.get() || there == nullptr) return there;
  return Failure(open_own().error());
}

bool SessionLog::has_session() const { return session_ || exists(options_.folder); }

void SessionLog::forget_empty(bool before) {
  if (before || !session_ || options_.create != Create::never) return;
  bool empty = true;
  const Status looked = session_->each_event([&](const SessionEvent&) { return empty = false; });
  std::error_code ignored;
  if (!looked || !empty || std::filesystem::exists(options_.folder + "/model-captures", ignored))
    return;
  proposals_.reset();
  session_.reset();
  std::filesystem::remove_all(options_.folder, ignored);
}

Status Recorder::start(const std::string& path, std::string_view version) {
  if (on()) {
    return fail(Errc::denied, fmt::format("{} is being written already", path_), "record stop");
  }
  TRY(check_named_output(path));
  constexpr mode_t kReadableByAll = 0644;
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
  if (file.get() < 0) {
    const Errc code = errno == EEXIST ? Errc::denied : Errc::io;
    return fail(code, fmt::format("cannot create {}: {}", path, std::strerror(errno)),
                "name a file that does not exist yet");
  }
  file_ = std::move(file);
  path_ = path;
  lines_.clear();
  written_ = 0;
  return write(fmt::format("# recorded by rpl {}; replay with: source {}\n", version, path));
}

Result<std::uint64_t> Recorder::stop() {
  if (!on()) return fail(Errc::usage, "nothing is being recorded", "record start FILE");
  file_ = UniqueFd();
  return written_;
}

void Recorder::read(std::string_view line) {
  if (on()) lines_.emplace_back(line);
}

Status Recorder::ran(int exit) {
  if (!on() || lines_.empty()) return {};
  std::string text;
  for (const std::string& line : lines_) {
    text += exit == 0 ? line + "\n" : fmt::format("# failed ({}): {}\n", exit, line);
  }
  if (exit == 0) written_ += lines_.size();
  lines_.clear();
  return write(text);
}

Status Recorder::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file_.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      file_ = UniqueFd();
      return fail(Errc::io, fmt::format("cannot write {}: {}", path_, std::strerror(error)),
                  "recording has ended");
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace rpl
