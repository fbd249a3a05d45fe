// SPDX-License-Identifier: MIT
#include "engine/process/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "engine/base/insist.h"
#include "engine/base/interrupt.h"
#include "engine/process/launch.h"

namespace rpl {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kLongestLine = 1U << 20U;
// A round of reading ends here even when more is there, so that deadlines are looked at while a program floods us. Also
// more than a pipe holds, so one round after the end gets everything the program itself wrote.
constexpr std::size_t kBytesPerRound = 1U << 20U;

enum class Keep { first, last };

/// One stream of a child: reads what is there, keeps what is wanted, hands out lines.
class Collector {
 public:
  Collector(UniqueFd fd, OutputStream stream, const Spawn& spawn)
      : fd_(std::move(fd)),
        stream_(stream),
        spawn_(spawn),
        keep_(stream == OutputStream::out ? Keep::first : Keep::last) {
    fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }

  [[nodiscard]] int fd() const { return fd_.get(); }

  void read_available() {
    std::array<char, 65536> buffer;
    for (std::size_t total = 0; fd_ && total < kBytesPerRound;) {
      const ssize_t count = ::read(fd_.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return fd_.reset();
      take({buffer.data(), static_cast<std::size_t>(count)});
      total += static_cast<std::size_t>(count);
    }
  }

  Captured finish() {
    if (!line_.empty()) spawn_.on_line(stream_, line_);
    if (keep_ == Keep::last) drop_front();
    return std::move(captured_);
  }

 private:
  void take(std::string_view bytes) {
    if (spawn_.on_line) split(bytes);
    if (keep_ == Keep::first) {
      const std::size_t room = spawn_.capture_limit - captured_.text.size();
      captured_.text += bytes.substr(0, room);
      if (bytes.size() > room) captured_.dropped_bytes += bytes.size() - room;
      return;
    }
    captured_.text += bytes;
    // Dropping only at twice the limit keeps the moving of bytes linear in all.
    if (captured_.text.size() / 2 > spawn_.capture_limit) drop_front();
  }

  void drop_front() {
    if (captured_.text.size() <= spawn_.capture_limit) return;
    const std::size_t excess = captured_.text.size() - spawn_.capture_limit;
    captured_.text.erase(0, excess);
    captured_.dropped_bytes += excess;
  }

  void split(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n')) {
      line_ += bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      spawn_.on_line(stream_, line_);
      line_.clear();
    }
    line_ += bytes;
    if (line_.size() < kLongestLine) return;
    spawn_.on_line(stream_, line_);
    line_.clear();
  }

  UniqueFd fd_;
  OutputStream stream_;
  const Spawn& spawn_;
  Keep keep_;
  Captured captured_;
  std::string line_;
};

/// A child in its own group, from its start to the moment it is reaped.
class Running {
 public:
  /// `started`: before the child was.
  Running(const Spawn& spawn, pid_t pid, UniqueFd out, UniqueFd err, Clock::time_point started)
      : spawn_(spawn),
        pid_(pid),
        started_(started),
        pidfd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U))),
        out_(std::move(out), OutputStream::out, spawn),
        err_(std::move(err), OutputStream::err, spawn) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (reaped_) return;  // otherwise an exception is passing: leave no child behind
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  Result<Exit> wait() {
    while (!ended()) {
      wait_for_news();
      out_.read_available();
      err_.read_available();
      stop_if_due();
    }
    Exit exit = reap();
    exit.out = out_.finish();
    exit.err = err_.finish();
    // A Ctrl-C may reach a child that has not left our group yet.
    if (interrupted_ || (exit.signal == SIGINT && interrupt::pending())) {
      return fail(Errc::interrupted, fmt::format("interrupted '{}'", spawn_.argv[0]));
    }
    return exit;
  }

 private:
  /// Whether the child itself has ended; leaves it a zombie, so that its group's number stays ours.
  [[nodiscard]] bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == pid_;
  }

  void wait_for_news() const {
    // An interrupt may come without any descriptor turning ready, and some sandboxes have no pidfd.
    const auto tick = pidfd_ ? 50ms : 2ms;
    std::array<pollfd, 3> fds{
        {{out_.fd(), POLLIN, 0}, {err_.fd(), POLLIN, 0}, {pidfd_.get(), POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_deadline() - Clock::now());
    ::poll(fds.data(), fds.size(), static_cast<int>(std::clamp(left, 0ms, tick).count()));
  }

  [[nodiscard]] Clock::time_point next_deadline() const {
    if (killed_) return Clock::time_point::max();
    if (stopping_) return kill_at_;
    return spawn_.timeout > 0ms ? started_ + spawn_.timeout : Clock::time_point::max();
  }

  void stop_if_due() {
    const bool due = Clock::now() >= next_deadline();
    if (!stopping_ && (due || interrupt::pending())) {
      if (ended()) return;
      timed_out_ = due;
      interrupted_ = !due;
      stopping_ = true;
      kill_at_ = Clock::now() + spawn_.grace;
      kill(-pid_, SIGTERM);
      kill(-pid_, SIGCONT);  // a stopped program does not see SIGTERM
    } else if (stopping_ && !killed_ && (due || interrupt::insisted())) {
      killed_ = true;
      kill(-pid_, SIGKILL);
    }
  }

  Exit reap() {
    out_.read_available();
    err_.read_available();
    if (stopping_) kill(-pid_, SIGKILL);  // what outlived the first of the group
    Exit exit;
    int status = 0;
    rusage usage{};
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    process::set_end(exit, status, usage);
    exit.timed_out = timed_out_;
    exit.wall = Clock::now() - started_;
    return exit;
  }

  const Spawn& spawn_;
  pid_t pid_;
  Clock::time_point started_;
  UniqueFd pidfd_;
  Collector out_;
  Collector err_;
  Clock::time_point kill_at_{};
  bool stopping_ = false;
  bool killed_ = false;
  bool timed_out_ = false;
  bool interrupted_ = false;
  bool reaped_ = false;
};

}  // namespace

Result<Exit> run(const Spawn& spawn) {
  TRY(interrupt::check());
  process::Pipe out = TRY(process::make_pipe());
  process::Pipe err = TRY(process::make_pipe());
  UniqueFd in;
  if (spawn.stdin_text) {
    in = TRY(process::readable_text(*spawn.stdin_text));
  } else {
    in = TRY(process::above_stdio(UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC))));
  }
  const auto started = Clock::now();
  const pid_t child = TRY(
      process::launch(spawn, {in.get(), out.write.get(), err.write.get()}, process::Group::own));
  out.write.reset();
  err.write.reset();
  return Running(spawn, child, std::move(out.read), std::move(err.read), started).wait();
}

}  // namespace rpl
