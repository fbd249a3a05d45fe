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
  /// Copies lanes with the bits outside of `kept` cleared and then those of `flipped` inverted.
  void (*change_bits)(std::uint32_t* to, const std::uint32_t* from, std::uint32_t kept,
                      std::uint32_t flipped);
  /// Copies lanes shifted up and then down, by less than 32.
  void (*cut)(std::uint32_t* to, const std::uint32_t* from, unsigned up, unsigned down);
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
  /// How base + the value of two dwords (high may be null: zero) lies. `starts` is written unless in another way.
  LaneShape (*shape)(std::uint64_t* starts, const std::uint32_t* low, const std::uint32_t* high,
                     std::uint64_t base);
  /// Writes the addresses of all lanes of a shape that is known; `low` as for shape().
  void (*spread)(std::uint64_t* to, const std::uint64_t* starts, LaneShape shape,
                 const std::uint32_t* low);
  /// The smallest and the largest.
  Span (*range)(const std::uint32_t* low);
  /// Reads or writes `dwords` dwords of each lane at base + (origin + low).
  void (*read_near)(std::uint32_t* to, const std::byte* base, std::uint64_t origin,
                    const std::uint32_t* low, unsigned dwords);
  void (*write_near)(std::byte* base, std::uint64_t origin, const std::uint32_t* low,
                     const std::uint32_t* from, unsigned dwords);
  /// Reads `dwords` dwords of each lane of a shape that is known to as many registers.
  void (*read_groups)(std::uint32_t* to, const std::byte* base, const std::uint64_t* starts,
                      LaneShape shape, unsigned dwords);
  /// Writes a row of dwords for each group.
  void (*write_groups)(std::byte* base, const std::uint64_t* starts, const std::uint32_t* from);
  /// Of 32 whole dwords in the first 64 rows of LDS: the largest number of different ones in any of 32 banks.
  std::uint64_t (*most_of_bank)(const std::uint64_t* address);
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

/// Chosen before main().
extern const Primitives chosen_primitives;
inline const Primitives& primitives() { return chosen_primitives; }

/// Writes the addresses of lanes whose shape alone is known.
inline void spread(Access& access) {
  if (access.shape == LaneShape::any) return;
  primitives().spread(access.address.data(), access.starts.data(), access.shape, nullptr);
  if (access.two_parts)
    primitives().spread(access.second_address.data(), access.second_starts.data(), access.shape,
                        nullptr);
  access.shape = LaneShape::any;
}

/// Bytes from the first address of a group to the end of its last lane.
inline std::uint64_t group_bytes(LaneShape shape, std::uint32_t bytes) {
  return (shape == LaneShape::rows ? (kOfGroup - 1) * sizeof(std::uint32_t) : 0) + bytes;
}

}  // namespace rpl::emu
