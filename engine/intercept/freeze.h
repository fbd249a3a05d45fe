// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/result.h"
#include "engine/intercept/copies.h"
#include "engine/intercept/hold.h"
#include "engine/intercept/queues.h"

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

/// How long each wait may last: for earlier work of all queues and copies to end, and for the dispatch itself.
struct Patience {
  std::chrono::milliseconds drain{30'000};
  std::chrono::milliseconds dispatch{120'000};
};

/// What is done with memory at the two moments when nothing else runs.
struct Images {
  std::function<rpl::Status()> before;
  std::function<rpl::Status()> after;
};

/// The dispatch and its surroundings in the handler's call.
struct Moment {
  TrackedQueue* queue = nullptr;
  std::span<const Packet> packets;  ///< all that the handler was given
  std::size_t chosen = 0;           ///< index of the dispatch
  Writer writer = nullptr;
};

/// What all captures of a process share.
struct Surroundings {
  const Calls& calls;
  QueueLog& queues;
  CopyLog& copies;
  Hold& hold;
  SignalBin& signals;
  Threads& threads;
  /// Where handlers of other queues look: the stop in force, or null. Called with the stop before the first wait and with null at the end.
  std::function<void(std::shared_ptr<QueueStop>)> announce;
};

/// Runs one dispatch alone between two looks at memory, in its queue's handler and with one call of the writer:
///
///     barrier -> A | barrier <- B | dispatch -> C | barrier <- D, if more packets follow
///
/// waits for A, for the other queues and for copies; looks at memory; opens B; waits for C; looks again; opens D and completes the
/// dispatch's own signal, with its times. Every wait is bounded: when one ends without success, and when a look fails, all gates are opened,
/// the dispatch runs as it would have, and the error says what did not come. The writer is called once whatever happens.
rpl::Status freeze(const Surroundings& around, const Moment& moment, std::uint64_t number,
                   const Patience& patience, const Images& images);

/// Runs one dispatch after everything before it in its queue and tells how long it took as the host sees it, from letting it go. Passes it on unharmed, as freeze
/// does; nothing when it could not be measured.
std::optional<std::chrono::nanoseconds> timed(const Surroundings& around, const Moment& moment,
                                              const Patience& patience);

}  // namespace rpl::intercept
