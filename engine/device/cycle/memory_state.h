// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/device/cycle/cache.h"
#include "engine/device/cycle/parameters.h"

namespace rpl::cycle {

/// What a device keeps from one dispatch to the next and what later ones profit from: the contents of the Infinity Cache, which lies at the memory
/// and is not emptied between kernels, and those of the L2 of each XCD, whose lines are written back at the end of a kernel and stay, until another
/// XCD writes them. Of the Infinity Cache one of eight blocks of 4 KiB is followed, always the same ones, with an eighth of the room.
class MemoryState {
 public:
  static constexpr unsigned kBlockBits = 12;
  static constexpr std::uint64_t kOneOf = 8;

  explicit MemoryState(const Parameters& parameters);

  [[nodiscard]] static bool is_followed(std::uint64_t block) {
    return (line_hash(block) & (kOneOf - 1)) == 0;
  }
  /// A block in the Infinity Cache, a bit for each line.
  struct Block {
    std::uint64_t lines = 0;  ///< that are there
    std::uint64_t dirty = 0;  ///< that memory does not have yet
  };
  /// The block has a place afterwards; whoever touches lines sets their bits. What gives way is chosen by chance, as in hardware whose order of
  /// replacement is not published: passing over more than the capacity again and again then finds a part of it, not nothing. Only with has_mall();
  /// good until the next call.
  Block& block(std::uint64_t number);
  [[nodiscard]] bool has_mall() const { return !sets_.empty(); }
  /// Lines that were written to memory so far because their blocks gave way, of those followed.
  [[nodiscard]] std::uint64_t written_back() const { return written_back_; }
  /// By XCD. A launch that is followed by a sample leaves the other sets as they were.
  std::vector<TagCache> l2;
  /// Dispatches that have gone over the device.
  std::uint32_t kernels = 0;

 private:
  static constexpr std::size_t kWays = 16;
  /// By way. Numbers lie side by side, as they are what is searched.
  struct Set {
    std::array<std::uint64_t, kWays> number_1{};  ///< number + 1; 0 is empty
    std::array<Block, kWays> block{};
  };
  std::vector<Set> sets_;
  std::uint64_t random_ = 0x9E3779B97F4A7C15, written_back_ = 0;
};

}  // namespace rpl::cycle
