// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "engine/document/value.h"

namespace rpl::testing_support {

/// A program that talks with `rpl --interpreter …` through its stdin and stdout. Waiting reads until there is a line; the deadline only bounds a failing test.
class InterpreterClient {
 public:
  /// Starts rpl with the arguments in a folder, with no files of the user's.
  InterpreterClient(const std::vector<std::string>& arguments, const std::string& folder);
  InterpreterClient(const InterpreterClient&) = delete;
  InterpreterClient& operator=(const InterpreterClient&) = delete;
  /// Kills it if it still runs.
  ~InterpreterClient();

  /// Whether it could be started: no argument can hold a NUL, for one. Otherwise it has ended, and nobody waits for it.
  [[nodiscard]] bool started() const { return pid_ > 0; }
  /// Sends a line; its end is added.
  void send(std::string_view line);
  /// How long a line is waited for.
  static constexpr std::chrono::milliseconds kDeadline{120'000};
  /// The next line; nullopt at the end, or when none came in time.
  std::optional<std::string> line(std::chrono::milliseconds patience = kDeadline);
  /// The next line as JSON; null for a line that is none, and at the end.
  Value reply();
  /// Nothing more will be sent.
  void end();
  /// Reads what is left and returns the exit status (128 + signal); -1 when it did not end.
  int wait();
  /// Whether its stdout was read to the end.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  bool fill(std::chrono::milliseconds patience = kDeadline);

  pid_t pid_ = -1;
  UniqueFd to_, from_;
  std::string buffer_;
  bool ended_ = true;
};

}  // namespace rpl::testing_support
