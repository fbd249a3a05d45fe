// SPDX-License-Identifier: MIT
#include "shell/server/serve.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include "engine/base/files.h"
#include "engine/process/attached.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/server/protocol/line_splitter.h"

namespace rpl {
namespace {

/// Reads lines from a descriptor in a thread of its own, so that a cancel is heard while something runs. At the end of input it closes the queue.
class RequestReader {
 public:
  /// `take` is called in that thread. It may fill and cancel `queue`, nothing else of the shell.
  RequestReader(int descriptor, std::size_t longest, LineSplitter::Take take, WorkQueue& queue);
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;
  /// Stops reading.
  ~RequestReader();

 private:
  void read(int descriptor, std::size_t longest, const LineSplitter::Take& take);

  WorkQueue& queue_;
  UniqueFd stop_;
  std::thread thread_;
};

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

}  // namespace

int serve(Context& context, Streams& streams, WorkQueue& queue, std::size_t longest_line,
          LineSplitter::Take hear, AfterCancel after_cancel) {
  Attached::serve_programs();
  {
    RequestReader reader(streams.requests(), longest_line, std::move(hear), queue);
    while (!context.face().leaving()) {
      const auto work = queue.next();
      if (!work) break;
      const JsonText reply = work->run();
      const bool was_cancelled = queue.done();
      if (!was_cancelled || after_cancel == AfterCancel::replied) streams.reply(reply);
    }
    for (const Work& left : queue.abandon()) left.cancelled();
  }
  return signals::exit_status(context.face().leaving() ? context.face().exit_code() : 0);
}

}  // namespace rpl
