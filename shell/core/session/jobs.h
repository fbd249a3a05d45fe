// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

class Background;

/// What a job tells the shell that started it, beside what it prints: lines on its stderr that begin with a record separator, which
/// no text for people does.
namespace job_message {
/// How far a job's work is.
std::string progress(std::string_view what, std::uint64_t done, std::uint64_t total);
/// It opened a file or folder; several recordings as one trace.
std::string opened(const std::vector<std::string>& paths);
/// The variable of the environment that tells a shell to be a job.
inline constexpr const char* kVariable = "RPL_JOB";
}  // namespace job_message

/// A line that runs in the background: a shell of its own, which runs that one line.
class Job {
 public:
  enum class State { running, done, failed, stopped };

  Job(std::string id, std::string line, std::unique_ptr<Background> child);
  ~Job();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& line() const { return line_; }
  [[nodiscard]] State state();
  /// Exit status of the line; 0 while it runs.
  [[nodiscard]] int exit_status();
  [[nodiscard]] std::int64_t elapsed_ns() const;
  /// "counting 40 %"; "" when it said nothing.
  [[nodiscard]] std::string progress() const;
  /// What its line printed: results, and notes and errors. The first mebibytes.
  [[nodiscard]] std::string output() const;
  [[nodiscard]] std::string remarks() const;
  /// What it opened, in order: one path, or those of the recordings that are one trace.
  [[nodiscard]] std::vector<std::vector<std::string>> opened() const;
  /// Asks it to end and does not wait; stop() does both.
  void ask_to_end();
  void stop();

  bool told = false;   ///< whether the person knows that it ended
  bool taken = false;  ///< whether what it opened is open here

 private:
  [[nodiscard]] std::vector<std::string> messages(std::string_view kind) const;

  std::string id_, line_;
  std::unique_ptr<Background> child_;
  bool stopped_ = false;
};
std::string_view to_string(Job::State state);

/// The jobs of this shell, j1, j2, … in the order of starting.
class Jobs {
 public:
  Jobs();
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  Job& add(std::string line, std::unique_ptr<Background> child);
  [[nodiscard]] const std::vector<std::unique_ptr<Job>>& all() const { return all_; }
  /// By id, or the latest for "". The error lists them.
  [[nodiscard]] Result<Job*> find(std::string_view id) const;
  [[nodiscard]] std::size_t running() const;
  /// Whether any runs, or has ended and was not told.
  [[nodiscard]] bool expects_news() const;
  /// Those that ended and were not told, a line each; "" for none.
  std::string news();

  /// This program and the options that its shells have in common; empty where none can be started.
  std::vector<std::string> program;

 private:
  std::vector<std::unique_ptr<Job>> all_;
};

/// `LINE &`: the line without its `&` and the blanks around it; nullopt for any other. The last word, unquoted, is the `&`.
std::optional<std::string> without_ampersand(std::string_view line);

}  // namespace rpl
