// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rpl::intercept {

/// Threads that outlive the call which began them. At the end they are asked to stop and waited for, so that none looks at what the runtime
/// has taken back. Calls from any thread.
class Threads {
 public:
  Threads() = default;
  ~Threads() { end(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void run(std::function<void(const std::stop_token&)> work) {
    const std::scoped_lock lock(mutex_);
    threads_.emplace_back([work = std::move(work)](const std::stop_token& stop) { work(stop); });
  }
  void end() {
    std::vector<std::jthread> threads;
    {
      const std::scoped_lock lock(mutex_);
      threads.swap(threads_);
    }
    // Each is asked before any is waited for.
    for (std::jthread& thread : threads) thread.request_stop();
  }

 private:
  std::mutex mutex_;
  std::vector<std::jthread> threads_;
};

}  // namespace rpl::intercept
