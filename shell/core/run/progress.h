// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/base/encode.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

/// One line on the person's terminal that says how far long work is: after half a second, at most ten times a second,
/// erased before anything else is written. Thread-safe, as work reports from where it runs.
class Progress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// Draws nothing when `terminal` is not interactive.
  Progress(Sink err, Terminal terminal, Clock clock = std::chrono::steady_clock::now);

  /// A command starts: its half second begins.
  void begin();
  void report(std::string_view what, std::uint64_t done, std::uint64_t total);
  /// Takes the line away, if there is one.
  void erase();
  /// After a change of the window.
  void resize(std::size_t width);

 private:
  Sink err_;
  Terminal terminal_;
  Clock clock_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point begun_{}, drawn_{};
  bool visible_ = false;
};

/// "reading dispatches 45 % (4500000 of 10000000)   Ctrl-C stops", cut to `width` columns.
TerminalText progress_text(std::string_view what, std::uint64_t done, std::uint64_t total,
                           std::size_t width);

}  // namespace rpl
