// SPDX-License-Identifier: MIT
#include "engine/capture/background_hashes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/sha256.h"
#include "engine/capture/sparse_file.h"

namespace rpl {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{256} << 10;
constexpr std::uint64_t kToDiskAtOnce = std::uint64_t{64} << 20;

/// Reads a file as it grows.
class Follower {
 public:
  explicit Follower(const std::string& path)
      : path_(path),
        file_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)),
        piece_(kReadAtOnce) {}

  [[nodiscard]] std::uint64_t done() const { return done_; }
  std::string hex() { return sum_.hex(); }

  /// Some of the bytes up to `end`.
  Status go_on(std::uint64_t end) {
    if (!file_) return file_error(path_, "open", errno);
    const auto part = std::span(piece_).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(end - done_, piece_.size())));
    const ssize_t got = ::pread(file_.get(), part.data(), part.size(), static_cast<off_t>(done_));
    if (got < 0 && errno == EINTR) return {};
    if (got < 0) return file_error(path_, "read", errno);
    if (got == 0) return fail(Errc::io, path_ + " became shorter while it was read");
    sum_.add(part.first(static_cast<std::size_t>(got)));
    done_ += static_cast<std::uint64_t>(got);
    if (done_ - begun_ >= kToDiskAtOnce || done_ == end) {
      // A file system that cannot begin early does so when it is synchronised.
      static_cast<void>(::sync_file_range(file_.get(), static_cast<off_t>(begun_),
                                          static_cast<off_t>(done_ - begun_),
                                          SYNC_FILE_RANGE_WRITE));
      begun_ = done_;
    }
    return {};
  }

 private:
  std::string path_;
  UniqueFd file_;
  Sha256 sum_;
  std::vector<std::byte> piece_;
  std::uint64_t done_ = 0, begun_ = 0;  ///< hashed; given to the disk
};

}  // namespace

struct BackgroundHashes::State {
  struct Followed {
    std::string path;
    std::uint64_t written = 0;  ///< bytes that can be read
    bool finished = false, dropped = false;
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Followed> files;  ///< the first is being hashed
  std::map<std::string, std::string> done;
  std::optional<Error> error;
  std::atomic<bool> stopping{false};
  std::thread thread;
  pid_t process = ::getpid();

  /// Hashes the first file, and waits for what is not written yet.
  void work(std::unique_lock<std::mutex>& lock) {
    Followed& file = files.front();
    Follower follower(file.path);
    while (!stopping && !file.dropped && !error) {
      if (const std::uint64_t end = file.written; follower.done() < end) {
        lock.unlock();
        auto read = follower.go_on(end);
        lock.lock();
        if (!read && !file.dropped) error = std::move(read).error();
      } else if (file.finished) {
        done[file.path] = follower.hex();
        break;
      } else {
        changed.wait(lock);
      }
    }
    files.pop_front();
    changed.notify_all();
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (files.empty()) {
        changed.wait(lock);
      } else {
        work(lock);
      }
    }
  }

  void start() {
    // The signals of a foreign program are for its own threads.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      // Without a thread wait() does it all.
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

BackgroundHashes::BackgroundHashes() : state_(new State) {}

BackgroundHashes::~BackgroundHashes() {
  if (state_->process != ::getpid()) return;
  stop();
  delete state_;
}

void BackgroundHashes::follow(const std::string& path) {
  const std::lock_guard lock(state_->mutex);
  state_->files.push_back({.path = path});
  if (!state_->thread.joinable()) state_->start();
  state_->changed.notify_all();
}

void BackgroundHashes::advance(std::uint64_t bytes) {
  const std::lock_guard lock(state_->mutex);
  // After an error nothing is followed any more.
  if (!state_->files.empty()) state_->files.back().written = bytes;
  state_->changed.notify_all();
}

void BackgroundHashes::finish() {
  const std::lock_guard lock(state_->mutex);
  if (!state_->files.empty()) state_->files.back().finished = true;
  state_->changed.notify_all();
}

void BackgroundHashes::drop() {
  const std::lock_guard lock(state_->mutex);
  if (!state_->files.empty()) state_->files.back().dropped = true;
  state_->changed.notify_all();
}

Result<std::map<std::string, std::string>> BackgroundHashes::wait() {
  constexpr std::chrono::milliseconds kLook{50};
  std::unique_lock lock(state_->mutex);
  while (!state_->files.empty()) {
    TRY(interrupt::check());
    if (state_->thread.joinable()) {
      state_->changed.wait_for(lock, kLook);
    } else {
      state_->work(lock);
    }
  }
  if (state_->error) return Failure(*state_->error);
  return state_->done;
}

void BackgroundHashes::stop() {
  if (state_->process != ::getpid()) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->changed.notify_all();
  }
  if (state_->thread.joinable()) state_->thread.join();
}

}  // namespace rpl
