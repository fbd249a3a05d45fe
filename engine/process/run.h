// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

enum class OutputStream { out, err };

/// Whose program it is. One of the host is what a capability is needed for; a tool is one that we chose ourselves and whose arguments we wrote: a compiler, its
/// version, this program.
enum class Program { host, tool };

/// A program to run: an argument vector, never a shell string.
struct Spawn {
  /// argv[0] is looked up in our PATH unless it holds a slash; a relative path counts from `cwd`.
  std::vector<std::string> argv;
  Program program = Program::host;
  /// Changes to our own environment: "NAME=value" sets, "NAME" removes.
  std::vector<std::string> env = {};
  /// The folder it starts in; empty: ours.
  std::string cwd = {};
  /// What it reads on stdin; nullopt: nothing at all (/dev/null), or the terminal for an attached child.
  std::optional<std::string> stdin_text = {};
  /// When it is stopped; zero: never. SIGTERM first, SIGKILL after `grace`, or as soon as somebody insists (engine/base/insist.h).
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds grace{2000};
  /// Called from run() with each line as it arrives, without its newline. A line above 1 MiB comes in pieces.
  std::function<void(OutputStream, std::string_view)> on_line = {};
  /// Bytes kept per stream: the first of stdout, the last of stderr.
  std::size_t capture_limit = 64U << 20U;
};

/// What one stream printed, as far as it was kept.
struct Captured {
  std::string text;
  std::uint64_t dropped_bytes = 0;  ///< how much more there was than capture_limit
};

/// How a program ended. One that could not be started has none.
struct Exit {
  int code = 0;            ///< its exit status, or 128 + signal as shells say it
  int signal = 0;          ///< the signal that ended it; 0: it ended by itself
  bool timed_out = false;  ///< ended by us because of Spawn::timeout
  std::chrono::nanoseconds wall{0};
  std::chrono::microseconds user{0};    ///< CPU time, with the children it waited for
  std::chrono::microseconds system{0};  ///< likewise, in the kernel
  std::int64_t max_rss_bytes = 0;
  Captured out;
  Captured err;

  [[nodiscard]] bool ok() const { return code == 0 && !timed_out; }
};

/// Runs a program to its end and collects what it prints. It gets its own process group, so a Ctrl-C at the terminal
/// reaches it through interrupt::pending() alone. Of a program that is stopped the whole group dies; what a program
/// that ends by itself leaves in the background lives on, and is not waited for.
/// Fails with not_found or denied when it cannot start, interrupted on Ctrl-C (after the group is gone), io otherwise.
/// A non-zero status and a time-out are no failures here: see check_exit.
Result<Exit> run(const Spawn& spawn);

/// An error for an end that is not success: the command line as it could be typed, how it ended, its last stderr lines.
/// Of a program that was told to end (SIGTERM, SIGINT): interrupted when this process is told so within half a second.
Status check_exit(const Spawn& spawn, const Exit& exit);

/// The argument vector as a POSIX shell would take it.
std::string command_line(const std::vector<std::string>& argv);

/// What a program said last: its last line that is not blank, at most 300 bytes of it; "" for none.
std::string last_line(std::string_view text);

}  // namespace rpl
