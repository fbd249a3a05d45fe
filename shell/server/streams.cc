// SPDX-License-Identifier: MIT
#include "shell/server/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "engine/process/launch.h"
#include "shell/core/run/signals.h"

namespace rpl {
namespace {

constexpr int kFirstOwn = 3;

}  // namespace

Status Streams::take_over() {
  in_.reset(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstOwn));
  out_.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstOwn));
  if (!in_ || !out_) return process::os_failure("keep stdin and stdout for requests", errno);
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  process::Pipe pipe = TRY(process::make_pipe());
  printed_ = std::move(pipe.read);
  stop_.reset(::eventfd(0, EFD_CLOEXEC));
  // Only our end never waits: programs write as to any pipe.
  if (!nothing || !stop_ || ::fcntl(printed_.get(), F_SETFL, O_NONBLOCK) != 0)
    return process::os_failure("prepare what stands in for stdin and stdout", errno);
  if (::dup2(nothing.get(), STDIN_FILENO) < 0 || ::dup2(pipe.write.get(), STDOUT_FILENO) < 0)
    return process::os_failure("put a pipe in the place of stdout", errno);
  reader_ = std::thread([this] { read_printed(); });
  return {};
}

Streams::~Streams() {
  if (!reader_.joinable()) return;
  const std::uint64_t one = 1;
  // It holds nothing yet, so that this cannot fail.
  static_cast<void>(!::write(stop_.get(), &one, sizeof one));
  reader_.join();
}

/// A program that prints more than a pipe holds must not wait for the command that waits for it.
void Streams::read_printed() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (true) {
    std::array<pollfd, 2> wait{pollfd{printed_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
    if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR) return;
    if (wait[1].revents != 0) return;
    // All writers are gone: nothing more can come, and poll would say so for ever.
    if ((wait[0].revents & (POLLIN | POLLHUP)) == POLLHUP) return;
    const std::lock_guard lock(reading_);
    drain();
  }
}

void Streams::drain() {
  // A program that was left behind may print faster than this reads: whoever waits for an answer gets one.
  constexpr int kMostReads = 16;
  std::array<char, 65536> chunk;
  ssize_t count = 0;
  for (int i = 0;
       i < kMostReads && (count = ::read(printed_.get(), chunk.data(), chunk.size())) > 0; ++i) {
    const auto came = static_cast<std::size_t>(count);
    const std::size_t room = std::min(came, kMostPrinted - kept_.text.size());
    kept_.text.append(chunk.data(), room);
    kept_.left_out_bytes += came - room;
  }
}

Printed Streams::take_printed() {
  const std::lock_guard lock(reading_);
  drain();
  return std::exchange(kept_, {});
}

void Streams::reply(const JsonText& text) {
  std::string_view line = text.bytes();
  const std::lock_guard lock(writing_);
  while (!line.empty()) {
    const ssize_t written = ::write(out_.get(), line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    // Nobody is left to answer to. What was answered is in the session.
    if (written < 0) _exit(signals::kStatus + SIGPIPE);
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace rpl
