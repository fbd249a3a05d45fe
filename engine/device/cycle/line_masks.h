// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl::cycle {

constexpr unsigned kMaskedLines = 64;

/// Which of 64 lines have none of these bits set in their line_hash(), or none of the others in that of their block, `line >> shift`: a bit for each line.
struct LineMask {
  std::uint64_t line_bits = 0;
  std::uint64_t block_bits = 0;
  unsigned block_shift = 0;
};
std::uint64_t lines_wanted(const std::uint64_t* lines, const LineMask& mask);

}  // namespace rpl::cycle
