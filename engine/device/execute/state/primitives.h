// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/lanes.h"

namespace rpl::emu {

/// The smallest and the largest address of a wave's lanes.
struct Span {
  std::uint64_t low, high;
};

/// What every vector instruction needs, for the best x86-64 level of this processor. Arrays have 64 elements.
struct Primitives {
  /// Writes `value` to 64 lanes.
  void (*fill)(std::uint32_t* to, std::uint32_t value);
  /// Writes bit i of `mask` to lane i.
  void (*expand)(std::uint32_t* to, std::uint64_t mask);
  /// Copies the lanes whose bit is set.
  void (*blend)(std::uint32_t* to, const std::uint32_t* from, std::uint64_t mask);
  /// Reads `dwords` dwords at base + (address - origin) for each lane, to as many registers from `to` on. All 64 lanes must be
  /// readable. `address` must are outside of `to`.
  void (*gather)(std::uint32_t* to, const std::byte* base, std::uint64_t origin,
                 const std::uint64_t* address, unsigned dwords);
  /// Writes from + offset (modulo 2^32) for the lanes in `mask` and zero for the others. Returns the largest.
  std::uint32_t (*offsets)(std::uint64_t* to, const std::uint32_t* from, std::uint32_t offset,
                           std::uint64_t mask);
  /// Writes base + the value of two dwords (high may be null: zero). Lanes outside of `mask`, which must not be zero, get what
  /// the first lane in it has.
  Span (*addresses)(std::uint64_t* to, const std::uint32_t* low, const std::uint32_t* high,
                    std::uint64_t base, std::uint64_t mask);
  /// Whether each lane's address is base + its distance.
  bool (*at_distances)(const std::uint64_t* address, std::uint64_t base,
                       const std::uint64_t* distance);
  /// Of lanes in ascending order, each within a line of 64 bytes: the distinct lines of 2^shift bytes, as distances from the first, and these times
  /// kLineFactor; `narrow` becomes the number of 64-byte lines. Returns how many, 0 where the lanes are not so.
  std::size_t (*ascending_lines)(const std::uint64_t* address, std::uint32_t bytes, unsigned shift,
                                 std::uint64_t* line, std::uint64_t* spread, std::uint64_t& narrow);
  /// Bit i: begin + spread[i] has none of the bits of `mask`.
  std::uint64_t (*without_bits)(const std::uint64_t* spread, std::uint64_t begin,
                                std::uint64_t mask);
  /// Writes the dword of each lane to base + (address - origin) when lanes beside each other write dwords beside each other, in
  /// groups of 16. Otherwise writes nothing and returns false.
  bool (*write_rows)(std::byte* base, std::uint64_t origin, const std::uint64_t* address,
                     const std::uint32_t* from);
};

const Primitives& primitives();

}  // namespace rpl::emu
