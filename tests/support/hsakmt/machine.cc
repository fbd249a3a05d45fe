// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/machine.h"

#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/support/hsakmt/aql.h"
#include "tests/support/hsakmt/sdma.h"

namespace rpl::hsakmt {
namespace {

// The variable of the project's own HIP runtime. Memory has the bounds of its pages in any case.
bool wants_bounds_of_a_gpu() {
  const char* bounds = std::getenv("RPL_EMU_BOUNDS");
  return bounds != nullptr && std::string_view(bounds) == "page";
}

bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

void say(const std::string& text) {
  std::fputs(fmt::format("rpl: emulated driver: {}\n", text).c_str(), stderr);
}

std::uint64_t system_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  constexpr std::uint64_t kNsPerS = 1'000'000'000;
  return static_cast<std::uint64_t>(now.tv_sec) * kNsPerS + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t device_ticks(const emu::hip::DeviceKind& kind) {
  constexpr std::uint64_t kKhzNs = 1'000'000;  // nanoseconds in a period of 1 kHz
  return system_ns() / (kKhzNs / static_cast<std::uint64_t>(isa::traits(kind.arch).wall_clock_khz));
}

Machine::Machine(emu::hip::DeviceKind which)
    : kind(std::move(which)), map(kind.memory_bytes), kernels_(kind.arch) {
  device_ = {.map = &map,
             .kernels = &kernels_,
             .clock = [this] { return device_ticks(kind); },
             .interrupt = [this](std::uint32_t event) { events.set(event); },
             .memory_fault =
                 [this](std::uint64_t address) {
                   fault_address_ = address;
                   events.set(fault_event_);
                 },
             .say = say,
             .reads_beyond_lds = wants_bounds_of_a_gpu()};
  map.on_message([this] { events.set_signals(); });
}

bool Machine::create_queue(std::uint64_t number, const QueueRing& ring, std::uint64_t* doorbell) {
  auto processor = processor_of(ring);
  const std::lock_guard lock(mutex_);
  if (!processor || queues_.contains(number)) return false;
  queues_[number] = std::make_unique<Queue>(std::move(processor), doorbell);
  return true;
}

std::unique_ptr<Processor> Machine::processor_of(const QueueRing& ring) {
  constexpr std::uint64_t kWord = sizeof(std::uint64_t);
  const auto view = map.view();
  const bool inside = is_power_of_two(ring.bytes) && ring.bytes >= kAqlPacketBytes &&
                      ring.read_index % kWord == 0 && ring.write_index % kWord == 0 &&
                      view->at(ring.address, ring.bytes) != nullptr &&
                      view->at(ring.read_index, kWord) != nullptr &&
                      view->at(ring.write_index, kWord) != nullptr;
  if (!inside) return nullptr;
  if (ring.kind == QueueRing::Kind::copy) {
    return std::make_unique<SdmaProcessor>(device_, SdmaRing{.address = ring.address,
                                                             .bytes = ring.bytes,
                                                             .read_offset = ring.read_index,
                                                             .write_offset = ring.write_index});
  }
  return std::make_unique<AqlProcessor>(device_, AqlRing{.address = ring.address,
                                                         .packets = ring.bytes / kAqlPacketBytes,
                                                         .read_index = ring.read_index,
                                                         .write_index = ring.write_index});
}

bool Machine::destroy_queue(std::uint64_t number) {
  std::unique_ptr<Queue> gone;
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(number);
  if (found == queues_.end()) return false;
  gone = std::move(found->second);
  queues_.erase(found);
  return true;
}

void Machine::destroy_queues() {
  const std::lock_guard lock(mutex_);
  queues_.clear();
}

bool Machine::pause_queue(std::uint64_t number, bool paused) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(number);
  if (found == queues_.end()) return false;
  found->second->pause(paused);
  return true;
}

bool Machine::has_queue(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  return queues_.contains(number);
}

}  // namespace rpl::hsakmt
