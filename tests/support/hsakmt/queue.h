// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "tests/support/hsakmt/device.h"

namespace rpl::hsakmt {

/// A queue of the device: one thread that processes its packets when the doorbell rings.
class Queue {
 public:
  /// What a doorbell holds while nobody rang; the program stores anything else.
  static constexpr std::uint64_t kSilent = ~std::uint64_t{0};

  /// `doorbell` lives as long as the queue.
  Queue(std::unique_ptr<Processor> processor, std::uint64_t* doorbell);
  /// Stops a kernel that runs; what is in the ring stays there.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Between packets.
  void pause(bool paused) { paused_ = paused; }
  /// Whether an error stopped it.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void run();

  std::unique_ptr<Processor> processor_;
  std::uint64_t* doorbell_;
  std::atomic<bool> stop_ = false, paused_ = false, failed_ = false;
  std::thread thread_;
};

}  // namespace rpl::hsakmt
