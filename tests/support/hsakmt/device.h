// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "tests/support/hsakmt/address_map.h"
#include "tests/support/hsakmt/loaded_kernel.h"
#include "tests/support/hsakmt/signal.h"

namespace rpl::hsakmt {

/// What the queues of a device share. All functions may be called from several threads.
struct Device {
  const AddressMap* map = nullptr;
  KernelCache* kernels = nullptr;
  std::function<std::uint64_t()> clock;  ///< ticks of the device's clock
  std::function<void(std::uint64_t instructions)> executed =
      {};  ///< a dispatch is over, before its end is read off the clock; may be null
  Interrupt interrupt;
  /// An access to an address that is not mapped: what the hardware tells the driver as a page fault.
  std::function<void(std::uint64_t address)> memory_fault;
  std::function<void(const std::string&)> say;  ///< for people: why a queue stopped
  /// LDS behind a workgroup's own reads as zero and is not written, as on a GPU; otherwise such an access stops the queue.
  bool reads_beyond_lds = false;
};

/// How far a queue came.
enum class Step : std::uint8_t {
  idle,     ///< nothing to do until the doorbell rings
  waiting,  ///< for a signal or a word in memory: try again soon
  done,     ///< one packet is finished
  failed    ///< for good
};

/// One ring of packets.
class Processor {
 public:
  virtual ~Processor() = default;
  /// Processes the next packet as far as it can be. Not again after failed.
  virtual Step step(const std::atomic<bool>& cancel) = 0;
};

}  // namespace rpl::hsakmt
