// SPDX-License-Identifier: MIT
#include "shell/interpreter/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace rpl {
namespace {

constexpr int kReaderGone = 128 + SIGPIPE;  // as shells report the signal
constexpr int kFirstOwn = 3;

tl::unexpected<Error> cannot(std::string_view what) { return fail(Errc::io, fmt::format("cannot {}: {}", what, std::strerror(errno))); }

}  // namespace

Status Streams::take_over() {
  in_.reset(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstOwn));
  out_.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstOwn));
  if (!in_ || !out_) return cannot("keep stdin and stdout for requests");
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::array<int, 2> ends{};
  if (!nothing || ::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot("make a pipe");
  printed_.reset(ends[0]);
  const UniqueFd written(ends[1]);
  stop_.reset(::eventfd(0, EFD_CLOEXEC));
  // Only our end never waits: programs write as to any pipe.
  if (!stop_ || ::fcntl(printed_.get(), F_SETFL, O_NONBLOCK) != 0) return cannot("make a pipe");
  if (::dup2(nothing.get(), STDIN_FILENO) < 0 || ::dup2(written.get(), STDOUT_FILENO) < 0) return cannot("put a pipe in the place of stdout");
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
    const std::lock_guard lock(reading_);
    drain();
  }
}

void Streams::drain() {
  std::array<char, 65536> chunk;
  ssize_t count = 0;
  while ((count = ::read(printed_.get(), chunk.data(), chunk.size())) > 0) {
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

void Streams::reply(std::string_view line) {
  const std::lock_guard lock(writing_);
  while (!line.empty()) {
    const ssize_t written = ::write(out_.get(), line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    // Nobody is left to answer to. What was answered is in the session.
    if (written < 0) _exit(kReaderGone);
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace rpl
