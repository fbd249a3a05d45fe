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

/// Reads lines from a descriptor in a thread of its own, so that a cancel is heard while something runs. At the end of input it closes the queue; once nobody reads replies any more, it gives
/// all up that was asked.
class RequestReader {
 public:
  /// `take` is called in that thread. It may fill and cancel `queue`, nothing else of the shell.
  RequestReader(const Streams& streams, std::size_t longest, LineSplitter::Take take,
                WorkQueue& queue);
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;
  /// Stops reading.
  ~RequestReader();

 private:
  void read(std::size_t longest, const LineSplitter::Take& take);
  /// Waits for one of them, or a moment; -1 is none. False where the destructor wants it to end.
  bool wait_for(int requests, bool& arrived);

  WorkQueue& queue_;
  int requests_, replies_;  ///< -1 once nobody reads there
  UniqueFd stop_;
  std::thread thread_;
};

RequestReader::RequestReader(const Streams& streams, std::size_t longest, LineSplitter::Take take,
                             WorkQueue& queue)
    : queue_(queue),
      requests_(streams.requests()),
      replies_(streams.replies()),
      stop_(::eventfd(0, EFD_CLOEXEC)),
      thread_([this, longest, take = std::move(take)] { read(longest, take); }) {}

RequestReader::~RequestReader() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(stop_.get(), &one, sizeof one));
  thread_.join();
}

bool RequestReader::wait_for(int requests, bool& arrived) {
  constexpr int kBetweenCancels = 100;  // ms
  // Of replies nothing is asked but whether their reader is gone, which is always told.
  std::array<pollfd, 3> wait{pollfd{requests, POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0},
                             pollfd{replies_, 0, 0}};
  const int ready = ::poll(wait.data(), wait.size(), kBetweenCancels);
  if (ready <= 0) {
    for (pollfd& one : wait) one.revents = 0;
    queue_.cancel_again();
  }
  if (wait[2].revents != 0) {
    replies_ = -1;
    queue_.give_up();
  }
  arrived = wait[0].revents != 0;
  return wait[1].revents == 0;
}

void RequestReader::read(std::size_t longest, const LineSplitter::Take& take) {
  // Signals are for the thread that runs commands.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  LineSplitter lines(longest);
  std::array<char, 65536> chunk;
  bool arrived = false;
  while (true) {
    if (!wait_for(requests_, arrived)) return;
    if (!arrived) continue;
    const ssize_t count = ::read(requests_, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    lines.feed({chunk.data(), static_cast<std::size_t>(count)}, take);
  }
  lines.end(take);
  queue_.close();
  // A cancel that was read last is carried out all the same.
  while (wait_for(-1, arrived)) {
  }
}

}  // namespace

int serve(Context& context, Streams& streams, WorkQueue& queue, std::size_t longest_line,
          LineSplitter::Take hear, AfterCancel after_cancel) {
  Attached::serve_programs();
  {
    RequestReader reader(streams, longest_line, std::move(hear), queue);
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
