// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/aql.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "engine/device/execute/launch/program.h"

namespace rpl::hsakmt {
namespace {

enum Type : std::uint8_t {
  kVendor = 0,
  kInvalid = 1,
  kDispatch = 2,
  kBarrierAnd = 3,
  kAgentDispatch = 4,
  kBarrierOr = 5
};

// Offsets within an amd_queue_t from the field that the read index lies in.
constexpr std::uint64_t kReadIndex = 128, kQueueProperties = 180, kInactiveSignal = 192,
                        kQueueBytes = 256;
constexpr std::uint32_t kProfiling = 1U << 3;

constexpr std::uint32_t kLargestWorkgroup = 1024, kLdsBytes = 65536;

// Where a fault of the emulator says that it happened.
std::optional<std::uint64_t> fault_address(std::string_view message) {
  constexpr std::string_view kBefore = "bytes at 0x";
  const std::size_t at = message.find(kBefore);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = message.substr(at + kBefore.size());
  std::uint64_t address = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), address, 16).ec != std::errc())
    return std::nullopt;
  return address;
}

}  // namespace

struct AqlProcessor::Packet {
  std::array<std::byte, kAqlPacketBytes> bytes{};
  std::uint64_t address = 0;

  template <class T>
  [[nodiscard]] T get(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    return value;
  }
  [[nodiscard]] Type type() const { return static_cast<Type>(get<std::uint8_t>(0)); }
  [[nodiscard]] std::uint64_t completion() const { return get<std::uint64_t>(56); }
};

Step AqlProcessor::step(const std::atomic<bool>& cancel) {
  const auto ring = device_.map->view();
  const std::byte* write = ring->at(ring_.write_index, sizeof(std::uint64_t));
  const std::uint64_t address = ring_.address + next_ % ring_.packets * kAqlPacketBytes;
  std::byte* slot = ring->at(address, kAqlPacketBytes);
  if (write == nullptr || slot == nullptr)
    return stop(*ring, QueueError::memory_fault, "the queue is no longer mapped to the device");
  const auto written =
      std::atomic_ref(*reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(write))).load();
  if (next_ >= written) return Step::idle;
  // The header is stored last.
  const auto header = std::atomic_ref(*reinterpret_cast<std::uint16_t*>(slot)).load();
  if ((header & 0xff) == kInvalid) return Step::idle;
  Packet packet{.address = address};
  std::memcpy(packet.bytes.data(), slot, packet.bytes.size());
  started_ = ended_ = 0;
  // What the program mapped before it wrote the packet may be newer than the look at the ring.
  return process(*device_.map->view(), packet, cancel);
}

Step AqlProcessor::process(const DeviceView& view, const Packet& packet,
                           const std::atomic<bool>& cancel) {
  switch (packet.type()) {
    case kDispatch:
      return dispatch(view, packet, cancel);
    case kBarrierAnd:
      return barrier(view, packet, true);
    case kBarrierOr:
      return barrier(view, packet, false);
    case kVendor:
      return vendor(view, packet);
    default:
      return stop(view, QueueError::unknown_format,
                  fmt::format("a packet of type {}", static_cast<int>(packet.type())));
  }
}

Step AqlProcessor::barrier(const DeviceView& view, const Packet& packet, bool all) {
  constexpr std::size_t kFirst = 8, kSignals = 5;
  std::size_t asked = 0, open = 0;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = packet.get<std::uint64_t>(kFirst + i * sizeof(std::uint64_t));
    if (signal == 0) continue;
    const auto value = signal_value(view, signal);
    if (!value)
      return stop(view, QueueError::memory_fault,
                  fmt::format("a barrier waits for 0x{:x}, where no signal lies", signal));
    ++asked;
    open += *value == 0 ? 1 : 0;
  }
  const bool passes = asked == 0 || (all ? open == asked : open > 0);
  return passes ? finish(view, packet) : Step::waiting;
}

Step AqlProcessor::vendor(const DeviceView& view, const Packet& packet) {
  constexpr std::uint8_t kPm4 = 1, kBarrierValue = 2;
  const auto format = packet.get<std::uint8_t>(2);
  if (format == kPm4) {
    // An indirect buffer: PM4 header, address low and high, number of dwords in the low 20 bits.
    const std::uint64_t address = packet.get<std::uint64_t>(8) & ~std::uint64_t{3};
    const std::uint64_t words = packet.get<std::uint32_t>(16) & 0xfffff;
    const std::byte* at = view.at(address, words * sizeof(std::uint32_t));
    const bool known =
        at != nullptr && only_cache_operations({reinterpret_cast<const std::uint32_t*>(at), words});
    if (!known)
      return stop(view, QueueError::unknown_vendor_format,
                  "PM4 commands other than cache operations");
    return finish(view, packet);
  }
  if (format != kBarrierValue)
    return stop(view, QueueError::unknown_vendor_format,
                fmt::format("a vendor packet of format {}", format));
  // Without a signal there is nothing to wait for: HIP 6 sends such packets for their completion signal.
  const auto signal = packet.get<std::uint64_t>(8);
  if (signal == 0) return finish(view, packet);
  const auto value = signal_value(view, signal);
  if (!value)
    return stop(view, QueueError::memory_fault,
                fmt::format("a barrier waits for 0x{:x}, where no signal lies", signal));
  const auto wanted = packet.get<std::int64_t>(16), seen = *value & packet.get<std::int64_t>(24);
  const bool conditions[] = {seen == wanted, seen != wanted, seen < wanted, seen >= wanted};
  const auto condition = packet.get<std::uint32_t>(32);
  if (condition >= std::size(conditions))
    return stop(view, QueueError::unknown_vendor_format, "a barrier with an unknown condition");
  return conditions[condition] ? finish(view, packet) : Step::waiting;
}

Step AqlProcessor::dispatch(const DeviceView& view, const Packet& packet,
                            const std::atomic<bool>& cancel) {
  const unsigned dimensions = packet.get<std::uint16_t>(2) & 3;
  emu::Launch launch;
  for (std::size_t i = 0; i < 3; ++i) {
    launch.workgroup[i] = i < dimensions ? packet.get<std::uint16_t>(4 + 2 * i) : 1;
    launch.grid[i] = i < dimensions ? packet.get<std::uint32_t>(12 + 4 * i) : 1;
    if (launch.workgroup[i] == 0 || launch.grid[i] == 0 || dimensions == 0)
      return stop(view, QueueError::invalid_dimensions, "a dispatch without work-items");
  }
  const auto items = std::uint64_t{launch.workgroup[0]} * launch.workgroup[1] * launch.workgroup[2];
  if (items > kLargestWorkgroup)
    return stop(view, QueueError::workgroup_too_large,
                fmt::format("a workgroup of {} work-items", items));
  launch.dynamic_lds_bytes = packet.get<std::uint32_t>(28);
  if (launch.dynamic_lds_bytes > kLdsBytes)
    return stop(view, QueueError::too_much_lds,
                fmt::format("{} bytes of LDS", launch.dynamic_lds_bytes));
  const auto kernel = device_.kernels->get(view, packet.get<std::uint64_t>(32));
  if (!kernel) return stop(view, QueueError::no_code, kernel.error().message);
  launch.object = kernel->object;
  launch.kernel = &kernel->object->kernels()[0];
  launch.program = kernel->program;
  launch.load_base = 0;
  launch.placed = emu::PlacedPacket{.packet = packet.address,
                                    .kernarg = packet.get<std::uint64_t>(40),
                                    .queue = ring_.read_index - kReadIndex,
                                    .scratch_bytes = packet.get<std::uint32_t>(24)};
  std::atomic_thread_fence(std::memory_order_seq_cst);
  started_ = device_.clock();
  const auto done = emu::execute(view.memory, launch,
                                 {.mode = emu::Mode::functional,
                                  .others_use_memory = true,
                                  .reads_beyond_lds = device_.reads_beyond_lds,
                                  .cancel = &cancel});
  if (done && device_.executed) device_.executed(done->counts.instructions);
  ended_ = std::max(device_.clock(), started_ + 1);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return done ? finish(view, packet) : stop_for(view, done.error());
}

// The slot is free before the program learns that the packet is finished, since it may wait for either.
Step AqlProcessor::finish(const DeviceView& view, const Packet& packet) {
  std::byte* slot = view.at(packet.address, sizeof(std::uint16_t));
  std::byte* read = view.at(ring_.read_index, sizeof(std::uint64_t));
  if (slot == nullptr || read == nullptr)
    return stop(view, QueueError::memory_fault, "the queue is no longer mapped to the device");
  const std::byte* properties =
      view.at(ring_.read_index - kReadIndex + kQueueProperties, sizeof(std::uint32_t));
  std::uint32_t bits = 0;
  if (properties != nullptr) std::memcpy(&bits, properties, sizeof(bits));
  const std::uint64_t signal = packet.completion();
  if (signal != 0 && !signal_value(view, signal))
    return stop(view, QueueError::memory_fault,
                fmt::format("a packet is to complete 0x{:x}, where no signal lies", signal));
  std::atomic_ref(*reinterpret_cast<std::uint16_t*>(slot)).store(kInvalid);
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(read)).store(++next_);
  if (signal == 0) return Step::done;
  if (ended_ == 0) started_ = ended_ = device_.clock();
  if ((bits & kProfiling) != 0) set_signal_times(view, signal, started_, ended_);
  complete_signal(view, signal, device_.interrupt);
  return Step::done;
}

Step AqlProcessor::stop_for(const DeviceView& view, const Error& error) {
  if (error.code == Errc::interrupted) return Step::failed;
  if (error.code == Errc::unsupported)
    return stop(view, QueueError::illegal_instruction, error.message);
  if (error.code == Errc::usage) return stop(view, QueueError::invalid_dimensions, error.message);
  if (error.code == Errc::corrupt) return stop(view, QueueError::no_code, error.message);
  const auto address = fault_address(error.message);
  if (!address) return stop(view, QueueError::exception, error.message);
  if (device_.say) device_.say(error.message);
  device_.memory_fault(*address);
  return Step::failed;
}

Step AqlProcessor::stop(const DeviceView& view, QueueError error, const std::string& why) {
  if (device_.say)
    device_.say(
        fmt::format("a queue stops with error 0x{:x}: {}", static_cast<std::uint32_t>(error), why));
  const std::byte* queue = view.at(ring_.read_index - kReadIndex, kQueueBytes);
  if (queue == nullptr) return Step::failed;
  std::uint64_t signal = 0;
  std::memcpy(&signal, queue + kInactiveSignal, sizeof(signal));
  if (signal != 0) store_signal(view, signal, static_cast<std::uint32_t>(error), device_.interrupt);
  return Step::failed;
}

// Type-3 packets: bits 31-30 are 3, 29-16 the number of dwords after the header less one, 15-8 the operation. Of type 2 is padding.
bool only_cache_operations(std::span<const std::uint32_t> words) {
  constexpr std::uint32_t kNop = 0x10, kAcquireMemory = 0x58;
  for (std::size_t i = 0; i < words.size();) {
    const std::uint32_t header = words[i], kind = header >> 30, operation = header >> 8 & 0xff;
    if (kind != 2 && (kind != 3 || (operation != kNop && operation != kAcquireMemory)))
      return false;
    i += kind == 2 ? 1 : (header >> 16 & 0x3fff) + 2;
    if (i > words.size()) return false;
  }
  return true;
}

}  // namespace rpl::hsakmt
