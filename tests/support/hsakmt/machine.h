// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/device/hip/device.h"
#include "tests/support/hsakmt/address_map.h"
#include "tests/support/hsakmt/device.h"
#include "tests/support/hsakmt/events.h"
#include "tests/support/hsakmt/queue.h"

namespace rpl::hsakmt {

/// Where a queue's packets and indexes lie, in addresses of the device.
struct QueueRing {
  enum class Kind : std::uint8_t { aql, copy };
  Kind kind = Kind::aql;
  std::uint64_t address = 0, bytes = 0;           ///< of the packets; `bytes` is a power of two
  std::uint64_t read_index = 0, write_index = 0;  ///< addresses of two 64-bit words
};

/// One emulated device as a driver of it runs it: its memory, its events, and its queues, each with a thread. What the stand-ins for
/// libhsakmt and for /dev/kfd have in common. For several threads.
class Machine {
 public:
  explicit Machine(emu::hip::DeviceKind which);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Starts a queue under a number that is free; `doorbell` lives as long as the queue does. False when no ring of that kind can lie there.
  bool create_queue(std::uint64_t number, const QueueRing& ring, std::uint64_t* doorbell);
  bool destroy_queue(std::uint64_t number);
  void destroy_queues();
  /// Between packets. False when there is no such queue.
  bool pause_queue(std::uint64_t number, bool paused);
  [[nodiscard]] bool has_queue(std::uint64_t number) const;

  /// The device's address of the last memory fault; 0 before the first one.
  [[nodiscard]] std::uint64_t fault_address() const { return fault_address_; }
  /// The event that a memory fault sets from now on.
  void watch_faults(std::uint32_t event) { fault_event_ = event; }

  const emu::hip::DeviceKind kind;
  AddressMap map;
  Events events;

 private:
  std::unique_ptr<Processor> processor_of(const QueueRing& ring);

  KernelCache kernels_;
  Device device_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<Queue>> queues_;
  std::atomic<std::uint64_t> fault_address_ = 0;
  std::atomic<std::uint32_t> fault_event_ = 0;
};

/// Nanoseconds since the system started: what drivers of AMD's GPUs call the system's clock.
std::uint64_t system_ns();
/// Ticks of the device's clock of that kind, from the host's.
std::uint64_t device_ticks(const emu::hip::DeviceKind& kind);

/// What is told to people, on stderr.
void say(const std::string& text);

}  // namespace rpl::hsakmt
