// SPDX-License-Identifier: MIT
#pragma once

#include <hsakmt.h>

#include "tests/support/hsakmt/machine.h"

namespace rpl::hsakmt {

/// All that the library keeps for this process: one CPU node (0) and one emulated gfx90a (1).
class Driver {
 public:
  /// The one of this process. It is never destroyed: threads of the program may outlive main().
  static Driver& get();

  /// False when it is open already.
  bool open();
  bool close();
  [[nodiscard]] bool is_open() const { return open_; }

  /// The queue's number; 0 when there are no more doorbells or no ring of that kind can lie there. Fills in what the caller gets.
  HSA_QUEUEID create_queue(HSA_QUEUE_TYPE type, void* address, std::uint64_t bytes,
                           HsaQueueResource& resource);

  /// Where the device writes which event it raised.
  std::uint64_t* mailbox(std::uint32_t event) { return mailboxes_ + event; }

  Machine machine;

 private:
  explicit Driver(emu::hip::DeviceKind which);
  std::uint64_t* pages_for_both(std::uint64_t bytes);

  std::mutex mutex_;
  std::uint64_t *mailboxes_ = nullptr, *doorbells_ = nullptr;
  std::uint64_t* offsets_ = nullptr;  ///< of copy queues: read and write
  std::atomic<bool> open_ = false;
};

}  // namespace rpl::hsakmt
