// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "tests/support/screen.h"

namespace rpl::testing_support {

/// What keys send.
namespace keys {
inline constexpr std::string_view kEnter = "\r";
inline constexpr std::string_view kTab = "\t";
inline constexpr std::string_view kCtrlC = "\x03";
inline constexpr std::string_view kCtrlD = "\x04";
inline constexpr std::string_view kCtrlR = "\x12";
inline constexpr std::string_view kCtrlZ = "\x1a";
inline constexpr std::string_view kCtrlBackslash = "\x1c";
inline constexpr std::string_view kUp = "\033[A";
inline constexpr std::string_view kDown = "\033[B";
inline constexpr std::string_view kRight = "\033[C";
inline constexpr std::string_view kLeft = "\033[D";
inline constexpr std::string_view kBackspace = "\x7f";
}  // namespace keys

/// A program on a terminal of its own, driven as a person would. Waiting reads the output until it holds what is waited
/// for; the deadline only bounds a failing test.
class Pty {
 public:
  struct Start {
    std::vector<std::string> argv;
    std::vector<std::string> env =
        {};  ///< "NAME=value" added to ours, "NAME" removes; TERM and LC_ALL are set
    std::string cwd = {};
    int columns = 80;
    int rows = 24;
  };

  static Result<Pty> start(const Start& start);
  Pty(Pty&& other) noexcept;
  Pty& operator=(Pty&&) = delete;
  /// Kills the program if it still runs.
  ~Pty();

  /// Types keys.
  void send(std::string_view keys);
  /// Waits until `text` is in the plain output behind the last match, and moves behind it. False: it never came.
  [[nodiscard]] bool wait_for(std::string_view text);
  /// Waits until the screen as it then is satisfies `holds`. False: it never did.
  [[nodiscard]] bool wait_until(const std::function<bool(const Screen&)>& holds);
  /// Reads to the end of the program and returns its exit status (128 + signal); nullopt when it did not end.
  [[nodiscard]] std::optional<int> wait_for_exit();
  /// Changes the size of the window; the program gets SIGWINCH.
  void resize(int columns, int rows);
  /// Sends a signal to the program alone.
  void signal(int number);

  [[nodiscard]] const Screen& screen() const { return screen_; }
  /// All bytes that the program wrote.
  [[nodiscard]] const std::string& raw() const { return raw_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  Pty(pid_t pid, UniqueFd terminal, const Start& start);

  enum class Read { more, end, late };
  Read read_more(int milliseconds);

  pid_t pid_ = -1;
  UniqueFd terminal_;
  Screen screen_;
  std::string raw_;
  std::size_t matched_ = 0;  ///< up to where wait_for has looked in screen_.plain()
};

}  // namespace rpl::testing_support
