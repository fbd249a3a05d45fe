// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/process/run.h"

namespace rpl {

/// A child in a process group of its own that goes on while we do something else. It reads nothing; what it prints goes to files
/// that have no name, so that it never waits for us.
class Background {
 public:
  /// Of `spawn` argv, env and cwd count. Fails as run() does.
  static Result<Background> start(const Spawn& spawn);
  Background(Background&& other) noexcept;
  Background& operator=(Background&&) = delete;
  /// Stops it when it still runs.
  ~Background();

  /// How it ended, or null while it runs. Its `out` and `err` stay empty: printed() has them.
  [[nodiscard]] const Exit* ended();
  /// SIGTERM to its group, and no wait.
  void ask_to_end() const;
  /// The same, SIGKILL after `grace` or when somebody insists; returns when it is gone. Nothing when it has ended.
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(2000));

  /// Bytes that it printed so far on a stream.
  [[nodiscard]] std::uint64_t printed_bytes(OutputStream stream) const;
  /// What it printed there from byte `from` on, at most `limit` bytes.
  [[nodiscard]] std::string printed(OutputStream stream, std::uint64_t from,
                                    std::uint64_t limit) const;
  /// Since it was started, or until it ended.
  [[nodiscard]] std::chrono::nanoseconds elapsed() const;

 private:
  Background(pid_t pid, UniqueFd out, UniqueFd err)
      : pid_(pid), out_(std::move(out)), err_(std::move(err)) {}
  [[nodiscard]] int file(OutputStream stream) const {
    return stream == OutputStream::out ? out_.get() : err_.get();
  }

  pid_t pid_ = -1;  ///< -1 once it was waited for
  UniqueFd out_, err_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<Exit> exit_;
};

}  // namespace rpl
