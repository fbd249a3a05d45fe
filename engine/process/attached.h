// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/process/family.h"
#include "engine/process/run.h"

namespace rpl {

/// A child that shares our terminal and process group: a pager, an editor, a debugger, the reader of a pipe. From start to
/// finish Ctrl-C and Ctrl-\ are the child's. One at a time. Behind serve_programs() it has a group of its own instead.
///
/// It holds nobody: a second Ctrl-C within kBetweenKeys, and whatever raises the interrupt flag otherwise (SIGTERM, a SIGINT that no key sent, a request of a
/// program), stops it with all that it started. SIGTERM first; SIGKILL after kGrace, kWhenInsisted after who insists.
class Attached {
 public:
  static constexpr std::chrono::seconds kBetweenKeys{5};
  static constexpr std::chrono::milliseconds kGrace{500}, kWhenInsisted{100};

  /// What keeps a terminal usable whose modes a child changed and could not put back: called before one is started, and after one was stopped.
  struct Terminal {
    void (*note)() = nullptr;
    void (*put_back)() = nullptr;
  };
  /// For the life of this process.
  static void keep(Terminal of);

  /// From now on nobody at a terminal is behind us but a program that asks: children get a process group of their own, no key is left to them, and what
  /// interrupts us ends the whole group: `shell a; b` with both. For the life of this process.
  static void serve_programs();

  /// Where its stdin comes from: Spawn::stdin_text or else ours, or what write() sends.
  enum class Input { given, written };

  /// Of `spawn` argv, env, cwd and stdin_text count. Fails as run() does.
  static Result<Attached> start(const Spawn& spawn, Input input);
  Attached(Attached&&) noexcept;
  Attached& operator=(Attached&&) = delete;
  /// Ends its input and waits for it, as finish() does.
  ~Attached();

  /// Blocks until the child took all of `text`. False when it reads no more (a pager was quit): a normal end. Fails with interrupted when it is to be stopped.
  Result<bool> write(std::string_view text);

  /// Ends its input and waits for it. The result holds no output. Fails with interrupted when it was stopped. To be called once.
  Result<Exit> finish();

 private:
  class Keys;

  Attached(pid_t pid, UniqueFd input, std::unique_ptr<Keys> keys, const Spawn& spawn);
  /// Whether anybody asked for an end since it was started.
  [[nodiscard]] bool is_unwanted() const;
  void stop_if_due();
  void note_family();
  void send(int number) const;
  [[nodiscard]] bool ended() const;

  pid_t pid_ = -1;
  UniqueFd input_, pidfd_;
  std::unique_ptr<Keys> keys_;  ///< null when it leads a group of its own
  std::string name_;
  std::uint32_t asked_before_ = 0;  ///< requests that are older than it
  bool stopping_ = false;
  std::chrono::steady_clock::time_point kill_at_{};
  std::vector<process::Member> family_;  ///< whom it was asked of, where they have no group
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Runs a child that shares our terminal to its end.
Result<Exit> run_attached(const Spawn& spawn);

}  // namespace rpl
