// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "shell/core/run/console.h"
#include "shell/server/streams.h"

namespace rpl {

/// Runs commands for programs: nothing is shown, and what would have been is part of the outcome. Takes over the context's ways of showing things.
class Runner {
 public:
  /// How far work is; called from the thread that works.
  using Progress =
      std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)>;
  /// What is to be run, understood only when it is its turn: what ran before may have defined it.
  using Understand = std::function<Result<Invocation>(Console&)>;

  struct Outcome {
    Result<Console::Answer> answer = fail(Errc::internal, "nothing ran");
    int exit_code = 0;                    ///< as `rpl COMMAND` would have ended
    Printed printed = {};                 ///< by scripts, by the programs that were run
    std::vector<std::string> notes = {};  ///< that are not in the document
  };

  /// `err` gets what is printed while no command of a program runs (by init files).
  Runner(Context& context, Streams& streams, Sink err);

  [[nodiscard]] Console& console() { return console_; }
  /// `line` is how the session names it; "" where the invocation says that. Reports progress to `progress` unless that is empty: the first at once,
  /// then at most ten times a second.
  Outcome run(const Understand& understand, const std::string& line, Progress progress);

 private:
  Status print(OutputBytes text);
  void report(std::string_view what, std::uint64_t done, std::uint64_t total);

  Context& context_;
  Streams& streams_;
  Sink err_;
  bool running_ = false;
  Outcome outcome_;
  std::mutex progress_lock_;  ///< background readers report, too
  Progress progress_;
  std::chrono::steady_clock::time_point reported_{};
  Console console_;
};

}  // namespace rpl
