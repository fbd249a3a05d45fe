// SPDX-License-Identifier: MIT
#include "tests/support/pty.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

namespace rpl::testing_support {
namespace {

using Clock = std::chrono::steady_clock;
/// Only bounds a failing test: a line may compile and measure dozens of candidates beside other tests.
constexpr std::chrono::seconds kPatience{180};

winsize window(int columns, int rows) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  return size;
}

/// In the child, after the fork: becomes the program.
[[noreturn]] void become(const Pty::Start& start) {
  setenv("TERM", "xterm", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  for (const std::string& setting : start.env) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      unsetenv(setting.c_str());
    } else {
      setenv(setting.substr(0, equals).c_str(), setting.c_str() + equals + 1, 1);
    }
  }
  std::vector<std::string> words = start.argv;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (start.cwd.empty() || chdir(start.cwd.c_str()) == 0) execvp(argv[0], argv.data());
  _exit(127);
}

int milliseconds_left(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

}  // namespace

Result<Pty> Pty::start(const Start& start) {
  const winsize size = window(start.columns, start.rows);
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid < 0) {
    return fail(Errc::io, "cannot open a terminal: " + std::generic_category().message(errno),
                "check that /dev/pts is mounted");
  }
  if (pid == 0) become(start);
  fcntl(terminal, F_SETFD, FD_CLOEXEC);
  return Pty(pid, UniqueFd(terminal), start);
}

Pty::Pty(pid_t pid, UniqueFd terminal, const Start& start)
    : pid_(pid), terminal_(std::move(terminal)), screen_(start.columns, start.rows) {}

Pty::Pty(Pty&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      terminal_(std::move(other.terminal_)),
      screen_(std::move(other.screen_)),
      raw_(std::move(other.raw_)),
      matched_(other.matched_) {}

Pty::~Pty() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Pty::send(std::string_view keys) {
  while (!keys.empty()) {
    const ssize_t written = ::write(terminal_.get(), keys.data(), keys.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the program has gone; the next wait says so
    keys.remove_prefix(static_cast<std::size_t>(written));
  }
}

Pty::Read Pty::read_more(int milliseconds) {
  pollfd fd{terminal_.get(), POLLIN, 0};
  if (::poll(&fd, 1, milliseconds) <= 0) return Read::late;
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(terminal_.get(), buffer.data(), buffer.size());
  if (count <= 0) return Read::end;  // Linux says EIO when the last process has closed its side
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
  raw_ += bytes;
  screen_.feed(bytes);
  return Read::more;
}

bool Pty::wait_for(std::string_view text) {
  const bool found = wait_until([&](const Screen& screen) {
    return screen.plain().find(text, matched_) != std::string::npos;
  });
  if (found) matched_ = screen_.plain().find(text, matched_) + text.size();
  return found;
}

bool Pty::wait_until(const std::function<bool(const Screen&)>& holds) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (!holds(screen_)) {
    const int left = milliseconds_left(deadline);
    if (left == 0 || read_more(left) == Read::end) return holds(screen_);
  }
  return true;
}

std::optional<int> Pty::wait_for_exit() {
  const Clock::time_point deadline = Clock::now() + kPatience;
  Read last = Read::more;
  while (last != Read::end) {
    const int left = milliseconds_left(deadline);
    if (left == 0) return std::nullopt;
    last = read_more(left);
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Pty::resize(int columns, int rows) {
  const winsize size = window(columns, rows);
  screen_.resize(columns, rows);
  ioctl(terminal_.get(), TIOCSWINSZ, &size);
}

void Pty::signal(int number) { kill(pid_, number); }

}  // namespace rpl::testing_support
