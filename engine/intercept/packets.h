// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "engine/hsa/types.h"

namespace rpl::intercept {

/// Any AQL packet.
struct Packet {
  std::array<std::byte, hsa::kPacketBytes> bytes{};

  template <class T>
  static Packet of(const T& fields) {
    static_assert(sizeof(T) == hsa::kPacketBytes);
    Packet out;
    std::memcpy(out.bytes.data(), &fields, sizeof(T));
    return out;
  }
  template <class T>
  [[nodiscard]] T as() const {
    T out;
    std::memcpy(&out, bytes.data(), sizeof(T));
    return out;
  }
  [[nodiscard]] std::uint16_t header() const { return as<hsa::DispatchPacket>().header; }
};
static_assert(sizeof(Packet) == hsa::kPacketBytes);

/// What a handler was given.
inline std::span<const Packet> packets_at(const void* packets, std::uint64_t count) {
  return {static_cast<const Packet*>(packets), static_cast<std::size_t>(count)};
}

/// Ends once everything before it in its queue has ended and `dependency` is zero (or none); takes one from `completion`.
inline Packet barrier(hsa::Signal dependency, hsa::Signal completion) {
  hsa::BarrierPacket out{};
  out.header = hsa::system_header(hsa::PacketType::barrier_and, true);
  out.dependency[0] = dependency;
  out.completion = completion;
  return Packet::of(out);
}

/// Takes one from `completion` once the processor has read everything before it; waits for nothing.
inline Packet mark(hsa::Signal completion) {
  hsa::BarrierPacket out{};
  out.header = hsa::system_header(hsa::PacketType::barrier_and, false);
  out.completion = completion;
  return Packet::of(out);
}

}  // namespace rpl::intercept
