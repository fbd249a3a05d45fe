// SPDX-License-Identifier: MIT
#include "shell/server/request_reader.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace rpl {

RequestReader::RequestReader(int descriptor, std::size_t longest, LineSplitter::Take take,
                             WorkQueue& queue)
    : queue_(queue),
      stop_(::eventfd(0, EFD_CLOEXEC)),
      thread_([this, descriptor, longest, take = std::move(take)] {
        read(descriptor, longest, take);
      }) {}

RequestReader::~RequestReader() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(stop_.get(), &one, sizeof one));
  thread_.join();
}

void RequestReader::read(int descriptor, std::size_t longest, const LineSplitter::Take& take) {
  // Signals are for the thread that runs commands.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  constexpr int kBetweenCancels = 100;  // ms
  LineSplitter lines(longest);
  std::array<char, 65536> chunk;
  while (true) {
    std::array<pollfd, 2> wait{pollfd{descriptor, POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
    const int ready = ::poll(wait.data(), wait.size(), kBetweenCancels);
    if (ready < 0 && errno != EINTR) break;
    if (wait[1].revents != 0) return;
    if (ready <= 0) {
      queue_.cancel_again();
      continue;
    }
    const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    lines.feed({chunk.data(), static_cast<std::size_t>(count)}, take);
  }
  lines.end(take);
  queue_.close();
  // A cancel that was read last is carried out all the same.
  pollfd wait{stop_.get(), POLLIN, 0};
  while (::poll(&wait, 1, kBetweenCancels) == 0) queue_.cancel_again();
}

}  // namespace rpl
