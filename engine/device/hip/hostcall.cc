// SPDX-License-Identifier: MIT
#include "engine/device/hip/hostcall.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace rpl::emu::hip {
namespace {

constexpr std::size_t kPackets = 2;
// Older device libraries read here a mask of packet numbers, newer ones the number of bits of such a mask; 1 is right as both for two
// packets. A packet is busy only while its wave runs, so two are enough.
constexpr std::uint64_t kIndexMaskOrBits = 1;
constexpr std::size_t kHeaders = 64, kHeaderBytes = 24, kPayloads = 128, kSlots = 8,
                      kLanesOfWave = isa::kWaveSize;
constexpr std::size_t kPayloadBytes = kLanesOfWave * kSlots * sizeof(std::uint64_t);
constexpr std::size_t kSignal = kPayloads + kPackets * kPayloadBytes;
constexpr std::size_t kSignalBytes = 64, kMailbox = kSignal + kSignalBytes;
constexpr std::size_t kBytes = kMailbox + 64;

// Of the buffer.
constexpr std::size_t kHeadersAt = 0, kPayloadsAt = 8, kDoorbellAt = 16, kFreeAt = 24,
                      kReadyAt = 32, kMaskAt = 40;
// Of a header.
constexpr std::size_t kNextAt = 0, kActiveAt = 8, kServiceAt = 16, kControlAt = 20;
// Of amd_signal_t (HSA runtime, amd_hsa_signal.h).
constexpr std::size_t kSignalKindAt = 0, kMailboxPointerAt = 16, kEventIdAt = 24;

constexpr std::uint32_t kServicePrintf = 2;

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(value));
}
template <class T>
T get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

}  // namespace

Hostcall::Hostcall(AddressSpace& space, Print print) : space_(space), print_(std::move(print)) {}

std::uint64_t Hostcall::buffer() {
  if (memory_ != nullptr) return address_;
  Region& region = space_.memory().allocate(kBytes, "the hostcall buffer");
  memory_ = region.host;
  address_ = region.base;
  put(memory_ + kHeadersAt, address_ + kHeaders);
  put(memory_ + kPayloadsAt, address_ + kPayloads);
  put(memory_ + kDoorbellAt, address_ + kSignal);
  put(memory_ + kMaskAt, kIndexMaskOrBits);
  // Numbers on the stacks carry a tag above their index, and 0 is the end of a stack: packet 0 goes in with a tag of one.
  constexpr std::uint64_t kFirst = kPackets, kSecond = 1;
  put(memory_ + kFreeAt, kFirst);
  put(memory_ + kHeaders + kNextAt, kSecond);
  put(memory_ + kHeaders + kHeaderBytes + kNextAt, std::uint64_t{0});
  constexpr std::int64_t kUserSignal = 1;
  put(memory_ + kSignal + kSignalKindAt, kUserSignal);
  put(memory_ + kSignal + kMailboxPointerAt, address_ + kMailbox);
  put(memory_ + kSignal + kEventIdAt, std::uint32_t{1});
  space_.memory().on_message = [this] { serve(); };
  return address_;
}

void Hostcall::serve() {
  auto ready = get<std::uint64_t>(memory_ + kReadyAt);
  put(memory_ + kReadyAt, std::uint64_t{0});
  for (std::size_t i = 0; ready != 0 && i <= kPackets; ++i) {
    const std::uint64_t index = ready % kPackets;
    std::byte* header = memory_ + kHeaders + index * kHeaderBytes;
    ready = get<std::uint64_t>(header + kNextAt);
    serve_packet(index);
    put(header + kControlAt, get<std::uint32_t>(header + kControlAt) & ~std::uint32_t{1});
  }
}

void Hostcall::serve_packet(std::uint64_t index) {
  const std::byte* header = memory_ + kHeaders + index * kHeaderBytes;
  std::byte* payload = memory_ + kPayloads + index * kPayloadBytes;
  const auto service = get<std::uint32_t>(header + kServiceAt);
  for (auto lanes = get<std::uint64_t>(header + kActiveAt); lanes != 0; lanes &= lanes - 1) {
    std::byte* at = payload + static_cast<std::size_t>(std::countr_zero(lanes)) * kSlots *
                                  sizeof(std::uint64_t);
    std::uint64_t slots[kSlots];
    std::memcpy(slots, at, sizeof(slots));
    if (service == kServicePrintf) {
      print_part(slots);
    } else {
      if (unknown_.empty())
        unknown_.push_back(fmt::format("service {} of the device libraries' hostcall", service));
      slots[0] = slots[1] = 0;
    }
    std::memcpy(at, slots, sizeof(slots));
  }
}

// The first slot says which message it is: bit 0 begins one, bit 1 ends it, bits 5 to 7 count the words that follow, the rest is its number.
void Hostcall::print_part(std::uint64_t* slots) {
  constexpr std::uint64_t kBegin = 1, kEnd = 2;
  constexpr unsigned kLengthAt = 5, kNumberAt = 8;
  std::uint64_t descriptor = slots[0];
  if ((descriptor & kBegin) != 0) {
    descriptor = (descriptor & ((1U << kNumberAt) - 1) & ~kBegin) | next_message_++ << kNumberAt;
  }
  const std::uint64_t number = descriptor >> kNumberAt;
  std::vector<std::uint64_t>& words = messages_[number];
  const std::uint64_t length = descriptor >> kLengthAt & 7;
  words.insert(words.end(), slots + 1, slots + 1 + std::min<std::uint64_t>(length, kSlots - 1));
  slots[0] = descriptor;
  if ((descriptor & kEnd) == 0) return;
  const PrintedMessage message = format_message(words);
  messages_.erase(number);
  print_(message.to_stderr, message.text);
  slots[0] = message.text.size();
}

std::vector<std::string> Hostcall::take_unknown() { return std::exchange(unknown_, {}); }

}  // namespace rpl::emu::hip
