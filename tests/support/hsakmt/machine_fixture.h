// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "tests/engine/isa/example_objects.h"
#include "tests/support/hsakmt/aql.h"
#include "tests/support/hsakmt/device.h"

namespace rpl::hsakmt {

/// A device without threads: memory, a ring in it, and what was told to the outside.
class MachineTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kPackets = 8;

  MachineTest() {
    device.map = &map;
    device.kernels = &kernels;
    device.clock = [this] { return ++ticks; };
    device.interrupt = [this](std::uint32_t event) { interrupts.push_back(event); };
    device.memory_fault = [this](std::uint64_t address) { faults.push_back(address); };
    device.say = [this](const std::string& text) { said = text; };
    queue = pages(4096);
    ring = pages(4096);
    signals = pages(4096);
    for (std::uint64_t i = 0; i < kPackets; ++i) put(ring + i * kAqlPacketBytes, std::uint16_t{1});
    put(queue + 192, inactive());
  }

  /// Memory that the device reaches.
  std::uint64_t pages(std::uint64_t bytes, std::uint32_t node = AddressMap::kHostNode) {
    const std::uint64_t base = map.allocate(emu::round_up_to(bytes, 4096), node, 0);
    EXPECT_NE(base, 0U);
    EXPECT_EQ(map.map(base, bytes), AddressMap::Outcome::done);
    return base;
  }

  template <class T>
  static void put(std::uint64_t address, T value) {
    std::memcpy(reinterpret_cast<void*>(address), &value, sizeof(value));
  }
  template <class T>
  static T get(std::uint64_t address) {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof(value));
    return value;
  }

  /// The signal of that number with a value, without an event or with one.
  std::uint64_t signal(std::uint64_t number, std::int64_t value, std::uint32_t event = 0) {
    const std::uint64_t at = signals + number * kSignalBytes;
    put(at + 8, value);
    put(at + 16, event == 0 ? std::uint64_t{0} : signals + 4096 - 8);
    put(at + 24, event);
    return at;
  }
  static std::int64_t value_of(std::uint64_t signal_address) {
    return get<std::int64_t>(signal_address + 8);
  }
  /// Where a queue says why it stopped.
  [[nodiscard]] std::uint64_t inactive() const { return signals + 60 * kSignalBytes; }

  AqlProcessor processor() {
    return AqlProcessor(device, {.address = ring,
                                 .packets = kPackets,
                                 .read_index = queue + 128,
                                 .write_index = queue + 56});
  }

  /// Writes packet `index` of the ring, the header last.
  template <class Fill>
  void packet(std::uint64_t index, std::uint16_t header, Fill fill) {
    const std::uint64_t at = ring + index % kPackets * kAqlPacketBytes;
    std::memset(reinterpret_cast<void*>(at), 0, kAqlPacketBytes);
    fill(at);
    put(at, header);
    put(queue + 56, index + 1);
  }

  /// Puts an example's segments into memory as a loader does. The base.
  std::uint64_t load(const isa::CodeObject& object) {
    std::uint64_t end = 0;
    for (const auto& segment : object.elf().segments)
      end = std::max(end, segment.address + segment.memory_size);
    const std::uint64_t base = pages(end, AddressMap::kDeviceNode);
    for (const auto& segment : object.elf().segments) {
      const auto bytes = object.loaded(segment.address, segment.file_size)->bytes();
      std::memcpy(reinterpret_cast<void*>(base + segment.address), bytes.data(), bytes.size());
    }
    return base;
  }

  AddressMap map{std::uint64_t{1} << 30};
  KernelCache kernels{isa::Arch::gfx90a};
  Device device;
  std::atomic<bool> cancel = false;
  std::uint64_t ticks = 0;
  std::vector<std::uint32_t> interrupts;
  std::vector<std::uint64_t> faults;
  std::string said;
  std::uint64_t queue = 0, ring = 0, signals = 0;
};

}  // namespace rpl::hsakmt
