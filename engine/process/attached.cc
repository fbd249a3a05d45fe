// SPDX-License-Identifier: MIT
#include "engine/process/attached.h"

#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "engine/base/interrupt.h"
#include "engine/process/launch.h"

namespace rpl {
namespace {

std::atomic<bool> programs_are_served{false};

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

/// Ignores the keys that the terminal sends to the whole process group, and puts the old handlers back.
class Attached::IgnoredKeys {
 public:
  IgnoredKeys() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &interrupt_);
    sigaction(SIGQUIT, &ignore, &quit_);
  }
  IgnoredKeys(const IgnoredKeys&) = delete;
  IgnoredKeys& operator=(const IgnoredKeys&) = delete;
  ~IgnoredKeys() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  struct sigaction interrupt_{};
  struct sigaction quit_{};
};

Attached::Attached(pid_t pid, UniqueFd input, std::unique_ptr<IgnoredKeys> keys)
    : pid_(pid), input_(std::move(input)), keys_(std::move(keys)) {}

Attached::Attached(Attached&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      keys_(std::move(other.keys_)),
      started_(other.started_) {}

void Attached::serve_programs() { programs_are_served = true; }

void Attached::terminate() const {
  const bool leads = keys_ == nullptr;
  ::kill(leads ? -pid_ : pid_, SIGTERM);
  // A member that reached for the terminal stands stopped, and would never see it.
  if (leads) ::kill(-pid_, SIGCONT);
}

Attached::~Attached() {
  input_.reset();
  while (pid_ > 0 && waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
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
  auto keys = apart ? nullptr : std::make_unique<IgnoredKeys>();
  const pid_t child =
      TRY(process::launch(spawn, stdio, apart ? process::Group::own : process::Group::shared));
  return Attached(child, std::move(pipe.write), std::move(keys));
}

Result<bool> Attached::write(std::string_view text) {
  const NoSigpipe guard;
  while (!text.empty()) {
    const ssize_t written = ::write(input_.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      if (interrupt::pending()) terminate();
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
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0) {
    if (errno != EINTR) return process::os_failure("wait for the program", errno);
    // Its keys are its own; what ends or cancels us otherwise ends it.
    if (interrupt::pending()) terminate();
  }
  pid_ = -1;
  keys_.reset();
  Exit exit;
  process::set_end(exit, status, usage);
  exit.wall = std::chrono::steady_clock::now() - started_;
  return exit;
}

Result<Exit> run_attached(const Spawn& spawn) {
  return TRY(Attached::start(spawn, Attached::Input::given)).finish();
}

}  // namespace rpl
