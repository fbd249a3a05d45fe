// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl::cycle {

constexpr unsigned kMaskedLines = 64;

/// What leaves a line out: bits of its line_hash(), and of that of its block, `line >> block_shift`.
struct LineMask {
  std::uint64_t line_bits = 0;
  std::uint64_t block_bits = 0;
  unsigned block_shift = 0;
};
/// Of kMaskedLines line numbers, a bit for each of which none of the line's bits is set, or none of the block's.
std::uint64_t lines_wanted(const std::uint64_t* lines, const LineMask& mask);

}  // namespace rpl::cycle
