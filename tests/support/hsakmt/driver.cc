// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/driver.h"

#include <cstdlib>

namespace rpl::hsakmt {
namespace {

constexpr std::uint64_t kQueues = 512;  ///< doorbells in a page
constexpr std::uint64_t kPageOfWords = 4096;

}  // namespace

Driver& Driver::get() {
  static Driver* const driver = [] {
    auto kind = emu::hip::device_kind("gfx90a");
    if (!kind) {
      say(kind.error().message);
      std::abort();
    }
    return new Driver(std::move(*kind));
  }();
  return *driver;
}

Driver::Driver(emu::hip::DeviceKind which) : machine(std::move(which)) {
  mailboxes_ = pages_for_both(Events::kMost * sizeof(std::uint64_t));
  doorbells_ = pages_for_both(kPageOfWords);
  offsets_ = pages_for_both(2 * kPageOfWords);
}

std::uint64_t* Driver::pages_for_both(std::uint64_t bytes) {
  const std::uint64_t base = machine.map.allocate(bytes, AddressMap::kHostNode, 0);
  if (base == 0) std::abort();
  machine.map.map(base, bytes);
  return reinterpret_cast<std::uint64_t*>(base);
}

bool Driver::open() { return !open_.exchange(true); }

bool Driver::close() {
  if (!open_.exchange(false)) return false;
  machine.destroy_queues();
  return true;
}

HSA_QUEUEID Driver::create_queue(HSA_QUEUE_TYPE type, void* address, std::uint64_t bytes,
                                 HsaQueueResource& resource) {
  const std::lock_guard lock(mutex_);
  // Number 0 means none, and so does its doorbell.
  std::uint64_t number = 1;
  while (number < kQueues && machine.has_queue(number)) ++number;
  if (number == kQueues) return 0;
  QueueRing ring{.address = reinterpret_cast<std::uint64_t>(address), .bytes = bytes};
  if (type == HSA_QUEUE_COMPUTE_AQL) {
    ring.read_index = resource.QueueRptrValue;
    ring.write_index = resource.QueueWptrValue;
  } else {
    ring.kind = QueueRing::Kind::copy;
    std::uint64_t* offsets = offsets_ + 2 * number;
    offsets[0] = offsets[1] = 0;
    ring.read_index = resource.QueueRptrValue = reinterpret_cast<std::uint64_t>(offsets);
    ring.write_index = resource.QueueWptrValue = reinterpret_cast<std::uint64_t>(offsets + 1);
  }
  if (!machine.create_queue(number, ring, doorbells_ + number)) return 0;
  resource.QueueId = number;
  resource.Queue_DoorBell_aql = reinterpret_cast<HSAuint64*>(doorbells_ + number);
  return number;
}

}  // namespace rpl::hsakmt
