// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/intercept/calls.h"
#include "engine/intercept/packets.h"

namespace rpl::intercept {

/// Signals that a capture made and that the device may still look at. They are destroyed when the runtime shuts down: it complains of any
/// that are left. Calls from any thread.
class SignalBin {
 public:
  explicit SignalBin(const Calls& calls) : calls_(calls) {}
  /// Fails with io.
  Result<Signal> make(hsa::SignalValue value);
  /// The device will not look at it any more: make() may hand it out again.
  void give_back(Signal signal);
  void empty();

 private:
  const Calls& calls_;
  std::mutex mutex_;
  std::vector<Signal> signals_, free_;
};

/// hsa_queue_type_t of a queue that takes packets from any thread.
inline constexpr std::uint32_t kSeveralProducers = 0;

/// Keeps a queue's ring in the device from running full, for runtimes up to ROCm 5.7: what does not fit they keep aside, and abort when a
/// second packet does not fit either (seen with 5.2). So every quarter of a ring a mark tells how far the device has read, and three quarters
/// are the most that is under way. One handler at a time.
class Pace {
 public:
  Pace() = default;  ///< hands on and never waits
  Pace(Signal first, Signal second, std::uint32_t ring) : marks_{first, second}, piece_(ring / 4) {}
  /// Hands packets on. Waits for the device if need be, but not for ever: what it has may wait for something that only this thread of
  /// the application does.
  void forward(const Calls& calls, std::span<const Packet> packets, Writer writer);
  /// With less, a quarter would not hold a capture's gates and the marks.
  static constexpr std::uint32_t kLeastRing = 64;

 private:
  Signal marks_[2] = {};
  std::uint64_t piece_ = ~std::uint64_t{0};
  std::uint64_t since_ = 0;  ///< packets handed on since the last mark
  unsigned turn_ = 0;
};

/// A queue of the application whose packets pass through us.
struct TrackedQueue {
  hsa::Queue* queue = nullptr;
  Agent agent{};
  std::uint32_t priority = 1;  ///< hsa_amd_queue_priority_t: 0 low, 1 normal, 2 high
  void* owner = nullptr;       ///< for the handler
  Pace pace;                   ///< the handler's alone, as the next
  std::uint64_t fenced_for =
      0;  ///< the number of the last capture whose fence went into this queue
};

/// Stops the other queues of the process while one dispatch is captured: everything that they were given before has ended, and nothing that
/// they are given afterwards begins. The first packets that a queue gets meanwhile go behind a barrier of the device; with more of them its
/// thread waits, for the ring must not run full.
class QueueStop {
 public:
  /// `drained` begins with the number of the other queues, `gate` with one.
  QueueStop(const Calls& calls, std::uint64_t number, Signal drained, Signal gate)
      : calls_(calls), number_(number), drained_(drained), gate_(gate) {}

  /// What a handler of another queue hands on instead of `packets` while the stop lasts.
  std::vector<Packet> passed(TrackedQueue& queue, std::span<const Packet> packets) const;
  /// `drained` falls to zero when all the others were seen to be empty.
  [[nodiscard]] Signal drained() const { return drained_; }
  /// Opens the gate.
  void end() const { calls_.signal_store(gate_, 0); }

 private:
  const Calls& calls_;
  std::uint64_t number_;
  Signal drained_, gate_;
};

/// All queues that exist. Calls from any thread.
class QueueLog {
 public:
  TrackedQueue& add(TrackedQueue queue);
  void remove(const hsa::Queue* queue);
  void set_priority(const hsa::Queue* queue, std::uint32_t priority);
  /// The others, as they are now.
  [[nodiscard]] std::vector<TrackedQueue*> others(const TrackedQueue& than) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<TrackedQueue>> queues_;
};

/// Puts an empty barrier into a queue that takes packets from any thread, so that its handler runs; waits while the queue is full. False when
/// it has one producer only.
bool poke(const Calls& calls, hsa::Queue& queue, const std::stop_token& stop);

}  // namespace rpl::intercept
