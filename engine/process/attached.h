// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <memory>
#include <string_view>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/process/run.h"

namespace rpl {

/// A child that shares our terminal and process group: a pager, an editor, a debugger, the reader of a pipe. From start to
/// finish Ctrl-C and Ctrl-\ are the child's and we ignore them. One at a time. Behind serve_programs() it has a group of its own instead.
class Attached {
 public:
  /// From now on nobody at a terminal is behind us but a program that asks: children get a process group of their own, no key is left to them, and what
  /// interrupts us ends the whole group: `shell a; b` with both. For the life of this process.
  static void serve_programs();

  /// Where its stdin comes from: Spawn::stdin_text or else ours, or what write() sends.
  enum class Input { given, written };

  /// Of `spawn` argv, env, cwd and stdin_text count. Fails as run() does.
  static Result<Attached> start(const Spawn& spawn, Input input);
  Attached(Attached&&) noexcept;
  Attached& operator=(Attached&&) = delete;
  /// Ends its input and waits for it.
  ~Attached();

  /// Blocks until the child took all of `text`. False when it reads no more (a pager was quit): a normal end.
  Result<bool> write(std::string_view text);

  /// Ends its input and waits for it; when the interrupt flag goes up meanwhile (not from its keys), it gets SIGTERM, with its group where that is its own. The result holds no output. To be
  /// called once.
  Result<Exit> finish();

 private:
  class IgnoredKeys;

  Attached(pid_t pid, UniqueFd input, std::unique_ptr<IgnoredKeys> keys);
  /// Asks it to end: the child that shares our group alone, else its group.
  void terminate() const;

  pid_t pid_ = -1;
  UniqueFd input_;
  std::unique_ptr<IgnoredKeys> keys_;  ///< null when it leads a group of its own
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Runs a child that shares our terminal to its end.
Result<Exit> run_attached(const Spawn& spawn);

}  // namespace rpl
