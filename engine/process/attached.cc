// SPDX-License-Identifier: MIT
#include "engine/process/attached.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>

#include "engine/base/insist.h"
#include "engine/base/interrupt.h"
#include "engine/process/launch.h"

namespace rpl {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

std::atomic<bool> programs_are_served{false};
Attached::Terminal terminal;
// When the last Ctrl-C was typed, in ns; 0: none since the child was started.
std::atomic<std::int64_t> last_key_ns{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "set from a signal handler");
// What SIGINT did before the child was started.
struct sigaction usual_interrupt{};

std::int64_t now_ns() {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

/// What stops us, and Lua, at other times.
void do_as_usual(int number, siginfo_t* info, void* context) {
  if ((usual_interrupt.sa_flags & SA_SIGINFO) != 0) {
    usual_interrupt.sa_sigaction(number, info, context);
  } else if (usual_interrupt.sa_handler != SIG_DFL) {
    usual_interrupt.sa_handler(number);
  } else {
    interrupt::raise();
  }
}

/// A key at the terminal went to the child as well and is its own; a second one soon after says that it did not help. What no key sent, the child has not
/// seen.
extern "C" void on_key(int number, siginfo_t* info, void* context) {
  if (info->si_code > 0) {
    const std::int64_t now = now_ns();
    const std::int64_t before = last_key_ns.exchange(now);
    constexpr std::int64_t kMost = std::chrono::nanoseconds(Attached::kBetweenKeys).count();
    if (before == 0 || now - before >= kMost) return;
    interrupt::insist();
  }
  do_as_usual(number, info, context);
}

/// Keeps SIGPIPE from this thread while it lives, and swallows the one that a write raised meanwhile.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;
  ~NoSigpipe() {
    const timespec at_once{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace

/// Leaves the keys that the terminal sends to the whole process group to the child, and puts the old handlers back.
class Attached::Keys {
 public:
  Keys() {
    last_key_ns = 0;
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGQUIT, &ignore, &quit_);
    sigaction(SIGINT, nullptr, &usual_interrupt);
    // Who ignores it (nohup, a job in the background) goes on doing so.
    if (usual_interrupt.sa_handler == SIG_IGN) return;
    struct sigaction count{};
    count.sa_sigaction = on_key;
    count.sa_flags = SA_SIGINFO;
    sigaction(SIGINT, &count, nullptr);
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  ~Keys() {
    sigaction(SIGINT, &usual_interrupt, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  struct sigaction quit_{};
};

Attached::Attached(pid_t pid, UniqueFd input, std::unique_ptr<Keys> keys, const Spawn& spawn)
    : pid_(pid),
      input_(std::move(input)),
      pidfd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U))),
      keys_(std::move(keys)),
      name_(spawn.argv[0]) {
  // Room in a pipe is waited for with a look at the flag in between.
  if (input_) fcntl(input_.get(), F_SETFL, O_NONBLOCK);
}

Attached::Attached(Attached&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      pidfd_(std::move(other.pidfd_)),
      keys_(std::move(other.keys_)),
      name_(std::move(other.name_)),
      asked_before_(other.asked_before_),
      stopping_(other.stopping_),
      kill_at_(other.kill_at_),
      family_(std::move(other.family_)),
      started_(other.started_) {}

void Attached::keep(Terminal of) { terminal = of; }

void Attached::serve_programs() { programs_are_served = true; }

Attached::~Attached() {
  // Who gave up on it has said why already.
  if (pid_ > 0) static_cast<void>(finish());
}

Result<Attached> Attached::start(const Spawn& spawn, Input input) {
  process::Pipe pipe;
  UniqueFd text;
  process::Stdio stdio;
  if (input == Input::written) {
    pipe = TRY(process::make_pipe());
    stdio.in = pipe.read.get();
  } else if (spawn.stdin_text) {
    text = TRY(process::readable_text(*spawn.stdin_text));
    stdio.in = text.get();
  }
  const bool apart = programs_are_served;
  if (!apart && terminal.note != nullptr) terminal.note();
  auto keys = apart ? nullptr : std::make_unique<Keys>();
  // Whoever sees it run may ask for its end before we go on.
  const std::uint32_t asked_before = interrupt::requests();
  const pid_t child =
      TRY(process::launch(spawn, stdio, apart ? process::Group::own : process::Group::shared));
  Attached out(child, std::move(pipe.write), std::move(keys), spawn);
  out.asked_before_ = asked_before;
  return out;
}

bool Attached::is_unwanted() const {
  return interrupt::pending() && interrupt::requests() != asked_before_;
}

bool Attached::ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid_;
}

void Attached::send(int number) const {
  if (keys_ == nullptr) {
    ::kill(-pid_, number);
  } else {
    process::signal_all(family_, number);
  }
}

void Attached::note_family() {
  if (keys_ == nullptr) return;
  // Who lost his parent meanwhile is found no more, and stays known.
  const std::vector<process::Member> now = process::family_of(pid_);
  family_.insert(family_.end(), now.begin(), now.end());
}

void Attached::stop_if_due() {
  const auto now = Clock::now();
  if (!stopping_) {
    if (!is_unwanted()) return;
    stopping_ = true;
    kill_at_ = now + kGrace;
    note_family();
    send(SIGTERM);
    // A member that reached for the terminal stands stopped, and would never see it.
    send(SIGCONT);
  }
  if (interrupt::insisted()) kill_at_ = std::min(kill_at_, now + kWhenInsisted);
  if (now < kill_at_) return;
  note_family();
  send(SIGKILL);
  kill_at_ = Clock::time_point::max();
}

namespace {

// Requests of other programs raise the flag without a signal.
constexpr auto kBetweenLooks = 50ms, kWithoutPidfd = 2ms;

void wait_for(int fd, short events, std::chrono::milliseconds most) {
  pollfd one{fd, events, 0};
  ::poll(&one, 1, static_cast<int>(most.count()));
}

}  // namespace

Result<bool> Attached::write(std::string_view text) {
  const NoSigpipe guard;
  while (!text.empty()) {
    if (is_unwanted()) return fail(Errc::interrupted, fmt::format("interrupted '{}'", name_));
    const ssize_t written = ::write(input_.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      wait_for(input_.get(), POLLOUT, kBetweenLooks);
      continue;
    }
    if (written < 0 && errno == EPIPE) return false;
    if (written < 0) return process::os_failure("write to the program", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<Exit> Attached::finish() {
  input_.reset();
  while (!ended()) {
    // Some sandboxes have no pidfd.
    wait_for(pidfd_.get(), POLLIN, pidfd_ ? kBetweenLooks : kWithoutPidfd);
    stop_if_due();
  }
  // What outlived it; until it is waited for its number stays its group's.
  if (stopping_) send(SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0) {
    if (errno != EINTR) return process::os_failure("wait for the program", errno);
  }
  pid_ = -1;
  if (stopping_ && keys_ != nullptr && terminal.put_back != nullptr) terminal.put_back();
  keys_.reset();
  if (stopping_) return fail(Errc::interrupted, fmt::format("interrupted '{}'", name_));
  Exit exit;
  process::set_end(exit, status, usage);
  exit.wall = Clock::now() - started_;
  return exit;
}

Result<Exit> run_attached(const Spawn& spawn) {
  return TRY(Attached::start(spawn, Attached::Input::given)).finish();
}

}  // namespace rpl
