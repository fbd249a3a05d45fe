// SPDX-License-Identifier: MIT
#pragma once

#include <hsakmt.h>

#include <map>
#include <memory>
#include <mutex>

#include "engine/device/hip/device.h"
#include "tests/support/hsakmt/address_map.h"
#include "tests/support/hsakmt/device.h"
#include "tests/support/hsakmt/events.h"
#include "tests/support/hsakmt/queue.h"

namespace rpl::hsakmt {

/// All that the driver keeps for this process: one CPU node (0) and one emulated gfx90a (1).
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
  bool destroy_queue(HSA_QUEUEID id);
  bool pause_queue(HSA_QUEUEID id, bool paused);

  /// Where the device writes which event it raised.
  std::uint64_t* mailbox(std::uint32_t event) { return mailboxes_ + event; }
  /// The address of the last memory fault.
  [[nodiscard]] std::uint64_t fault_address() const { return fault_address_; }
  void watch_faults(std::uint32_t event) { fault_event_ = event; }

  const emu::hip::DeviceKind kind;
  AddressMap map;
  Events events;

 private:
  explicit Driver(emu::hip::DeviceKind which);
  std::uint64_t* pages_for_both(std::uint64_t bytes);
  std::unique_ptr<Processor> processor_of(HSA_QUEUE_TYPE type, std::uint64_t address,
                                          std::uint64_t bytes, std::uint64_t number,
                                          HsaQueueResource& resource);

  KernelCache kernels_;
  Device device_;
  std::mutex mutex_;
  std::map<HSA_QUEUEID, std::unique_ptr<Queue>> queues_;
  std::uint64_t *mailboxes_ = nullptr, *doorbells_ = nullptr;
  std::uint64_t* offsets_ = nullptr;  ///< of copy queues: read and write
  std::atomic<bool> open_ = false;
  std::atomic<std::uint64_t> fault_address_ = 0;
  std::atomic<std::uint32_t> fault_event_ = 0;
};

/// Ticks of the device's clock, 25 MHz as on MI200, from the host's.
std::uint64_t device_ticks();

/// What is told to people, on stderr.
void say(const std::string& text);

}  // namespace rpl::hsakmt
