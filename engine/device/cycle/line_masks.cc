// SPDX-License-Identifier: MIT
#include "engine/device/cycle/line_masks.h"

#include "engine/base/levels.h"
#include "engine/device/cycle/cache.h"

namespace rpl::cycle {
namespace {

[[gnu::always_inline]] inline std::uint64_t lines_wanted_body(const std::uint64_t* lines,
                                                              const LineMask& mask) {
  constexpr unsigned kHalf = kMaskedLines / 2;
  const std::uint64_t line_bits = mask.line_bits, block_bits = mask.block_bits;
  const unsigned shift = mask.block_shift;
  std::uint32_t halves[2] = {};
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t* from = lines + half * kHalf;
    std::uint32_t wanted = 0;
    for (unsigned i = 0; i < kHalf; ++i) {
      const std::uint64_t of_line = line_hash(from[i]) & line_bits,
                          of_block = line_hash(from[i] >> shift) & block_bits;
      wanted |= ((of_line == 0 ? 1U : 0U) | (of_block == 0 ? 1U : 0U)) << i;
    }
    halves[half] = wanted;
  }
  return halves[0] | std::uint64_t{halves[1]} << kHalf;
}

}  // namespace

std::uint64_t lines_wanted(const std::uint64_t* lines, const LineMask& mask) {
  static const auto best = Levels<lines_wanted_body>::best();
  return best(lines, mask);
}

}  // namespace rpl::cycle
