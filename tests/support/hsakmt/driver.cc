// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/driver.h"

#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/hsakmt/aql.h"
#include "tests/support/hsakmt/sdma.h"

namespace rpl::hsakmt {
namespace {

constexpr std::uint64_t kQueues = 512;  ///< doorbells in a page
constexpr std::uint64_t kPageOfWords = 4096;

bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

void say(const std::string& text) {
  std::fputs(fmt::format("rpl: emulated driver: {}\n", text).c_str(), stderr);
}

std::uint64_t device_ticks() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  constexpr std::uint64_t kNsPerS = 1'000'000'000, kNsPerTick = 40;
  return (static_cast<std::uint64_t>(now.tv_sec) * kNsPerS +
          static_cast<std::uint64_t>(now.tv_nsec)) /
         kNsPerTick;
}

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

Driver::Driver(emu::hip::DeviceKind which)
    : kind(std::move(which)), map(kind.memory_bytes), kernels_(kind.arch) {
  mailboxes_ = pages_for_both(Events::kMost * sizeof(std::uint64_t));
  doorbells_ = pages_for_both(kPageOfWords);
  offsets_ = pages_for_both(2 * kPageOfWords);
  device_ = {.map = &map,
             .kernels = &kernels_,
             .clock = device_ticks,
             .interrupt = [this](std::uint32_t event) { events.set(event); },
             .memory_fault =
                 [this](std::uint64_t address) {
                   fault_address_ = address;
                   events.set(fault_event_);
                 },
             .say = say};
  map.on_message([this] { events.set_signals(); });
}

std::uint64_t* Driver::pages_for_both(std::uint64_t bytes) {
  const std::uint64_t base = map.allocate(bytes, AddressMap::kHostNode, 0);
  if (base == 0) std::abort();
  map.map(base, bytes);
  return reinterpret_cast<std::uint64_t*>(base);
}

bool Driver::open() { return !open_.exchange(true); }

bool Driver::close() {
  if (!open_.exchange(false)) return false;
  const std::lock_guard lock(mutex_);
  queues_.clear();
  return true;
}

HSA_QUEUEID Driver::create_queue(HSA_QUEUE_TYPE type, void* address, std::uint64_t bytes,
                                 HsaQueueResource& resource) {
  const std::lock_guard lock(mutex_);
  // Number 0 means none, and so does its doorbell.
  std::uint64_t number = 1;
  while (number < kQueues && queues_.contains(number)) ++number;
  if (number == kQueues) return 0;
  auto processor =
      processor_of(type, reinterpret_cast<std::uint64_t>(address), bytes, number, resource);
  if (!processor) return 0;
  resource.QueueId = number;
  resource.Queue_DoorBell_aql = reinterpret_cast<HSAuint64*>(doorbells_ + number);
  queues_[number] = std::make_unique<Queue>(std::move(processor), doorbells_ + number);
  return number;
}

std::unique_ptr<Processor> Driver::processor_of(HSA_QUEUE_TYPE type, std::uint64_t address,
                                                std::uint64_t bytes, std::uint64_t number,
                                                HsaQueueResource& resource) {
  const auto view = map.view();
  if (!is_power_of_two(bytes) || view->at(address, bytes) == nullptr) return nullptr;
  if (type == HSA_QUEUE_COMPUTE_AQL) {
    const AqlRing ring{.address = address,
                       .packets = bytes / kAqlPacketBytes,
                       .read_index = resource.QueueRptrValue,
                       .write_index = resource.QueueWptrValue};
    const bool inside = ring.packets != 0 &&
                        view->at(ring.read_index, sizeof(std::uint64_t)) != nullptr &&
                        view->at(ring.write_index, sizeof(std::uint64_t)) != nullptr;
    return inside ? std::make_unique<AqlProcessor>(device_, ring) : nullptr;
  }
  if (type != HSA_QUEUE_SDMA && type != HSA_QUEUE_SDMA_XGMI) return nullptr;
  std::uint64_t* offsets = offsets_ + 2 * number;
  offsets[0] = offsets[1] = 0;
  resource.QueueRptrValue = reinterpret_cast<std::uint64_t>(offsets);
  resource.QueueWptrValue = reinterpret_cast<std::uint64_t>(offsets + 1);
  return std::make_unique<SdmaProcessor>(
      device_,
      SdmaRing{
          .address = address, .bytes = bytes, .read_offset = offsets, .write_offset = offsets + 1});
}

bool Driver::destroy_queue(HSA_QUEUEID id) {
  std::unique_ptr<Queue> gone;
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(id);
  if (found == queues_.end()) return false;
  gone = std::move(found->second);
  queues_.erase(found);
  return true;
}

bool Driver::pause_queue(HSA_QUEUEID id, bool paused) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(id);
  if (found == queues_.end()) return false;
  found->second->pause(paused);
  return true;
}

}  // namespace rpl::hsakmt
