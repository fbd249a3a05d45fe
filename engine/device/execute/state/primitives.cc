// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/primitives.h"

#include <algorithm>
#include <bit>

#include "engine/base/levels.h"
#include "engine/device/execute/state/line_log.h"

namespace rpl::emu {
namespace {

constexpr unsigned kHalf = 32;
constexpr unsigned kGroup = 16;  ///< lanes whose addresses are looked at together

[[gnu::always_inline]] inline void fill_body(std::uint32_t* to, std::uint32_t value) {
  for (unsigned i = 0; i < kLanes; ++i) to[i] = value;
}
[[gnu::always_inline]] inline void expand_body(std::uint32_t* to, std::uint64_t mask) {
  const auto low = static_cast<std::uint32_t>(mask),
             high = static_cast<std::uint32_t>(mask >> kHalf);
  for (unsigned i = 0; i < kHalf; ++i) to[i] = low >> i & 1U;
  for (unsigned i = 0; i < kHalf; ++i) to[i + kHalf] = high >> i & 1U;
}
[[gnu::always_inline]] inline void change_bits_body(std::uint32_t* to, const std::uint32_t* from,
                                                    std::uint32_t kept, std::uint32_t flipped) {
  alignas(64) std::array<std::uint32_t, kLanes> changed;
  for (unsigned i = 0; i < kLanes; ++i) changed[i] = (from[i] & kept) ^ flipped;
  std::memcpy(to, changed.data(), sizeof(changed));
}
[[gnu::always_inline]] inline void cut_body(std::uint32_t* to, const std::uint32_t* from,
                                            unsigned up, unsigned down) {
  alignas(64) std::array<std::uint32_t, kLanes> part;
  for (unsigned i = 0; i < kLanes; ++i) part[i] = from[i] << up >> down;
  std::memcpy(to, part.data(), sizeof(part));
}
[[gnu::always_inline]] inline void blend_body(std::uint32_t* to, const std::uint32_t* from,
                                              std::uint64_t mask) {
  const auto low = static_cast<std::uint32_t>(mask),
             high = static_cast<std::uint32_t>(mask >> kHalf);
  for (unsigned i = 0; i < kHalf; ++i) to[i] = (low >> i & 1U) != 0 ? from[i] : to[i];
  for (unsigned i = 0; i < kHalf; ++i)
    to[i + kHalf] = (high >> i & 1U) != 0 ? from[i + kHalf] : to[i + kHalf];
}

// An unaligned dword, which the compiler may gather.
using Dword [[gnu::aligned(1), gnu::may_alias]] = std::uint32_t;

// Addresses in one vector: the compiler unrolls a loop over so few before it would vectorize it. Wider ones would be slow
// where registers are narrower.
using Four [[gnu::vector_size(32)]] = std::uint64_t;
constexpr unsigned kFour = 4;

[[gnu::always_inline]] inline void load_four(Four& to, const std::uint64_t* from) {
  std::memcpy(&to, from, sizeof(to));
}
[[gnu::always_inline]] inline bool is_zero(const Four& bits) {
  return (bits[0] | bits[1] | bits[2] | bits[3]) == 0;
}

/// Whether the addresses of each group are equal, or 4 bytes from one lane to the next.
struct Pattern {
  bool uniform, row;
};
[[gnu::always_inline]] inline Pattern pattern_of(const std::uint64_t* address) {
  constexpr Four kSteps = {0, 4, 8, 12};
  Four unequal{}, uneven{};
  for (unsigned first = 0; first < kLanes; first += kGroup) {
    for (unsigned i = 0; i < kGroup; i += kFour) {
      Four distance;
      load_four(distance, address + first + i);
      distance -= address[first];
      unequal |= distance;
      uneven |= distance ^ (kSteps + i * sizeof(std::uint32_t));
    }
  }
  return {is_zero(unequal), is_zero(uneven)};
}

[[gnu::always_inline]] inline void gather_register(std::uint32_t* __restrict to,
                                                   const std::byte* from,
                                                   const std::uint64_t* __restrict address,
                                                   std::uint64_t origin, Pattern pattern) {
  if (pattern.row) {
    for (unsigned first = 0; first < kLanes; first += kGroup)
      std::memcpy(to + first, from + (address[first] - origin), kGroup * sizeof(std::uint32_t));
    return;
  }
  if (pattern.uniform) {
    for (unsigned first = 0; first < kLanes; first += kGroup) {
      const std::uint32_t value = *reinterpret_cast<const Dword*>(from + (address[first] - origin));
      for (unsigned i = 0; i < kGroup; ++i) to[first + i] = value;
    }
    return;
  }
  for (unsigned i = 0; i < kLanes; ++i)
    to[i] = *reinterpret_cast<const Dword*>(from + (address[i] - origin));
}

// Neighbours mostly read one dword or a row of them, which costs a fraction of 64 loads. Groups are looked at because a row of
// a tile is often shorter than a wave.
[[gnu::always_inline]] inline void gather_body(std::uint32_t* to, const std::byte* base,
                                               std::uint64_t origin, const std::uint64_t* address,
                                               unsigned dwords) {
  const Pattern pattern = pattern_of(address);
  for (unsigned k = 0; k < dwords; ++k) {
    gather_register(to + std::size_t{k} * kLanes, base + std::size_t{k} * sizeof(std::uint32_t),
                    address, origin, pattern);
  }
}

[[gnu::always_inline]] inline std::uint32_t offsets_body(std::uint64_t* __restrict to,
                                                         const std::uint32_t* __restrict from,
                                                         std::uint32_t offset, std::uint64_t mask) {
  const auto low = static_cast<std::uint32_t>(mask),
             high = static_cast<std::uint32_t>(mask >> kHalf);
  alignas(64) std::array<std::uint32_t, kLanes> sum;
  for (unsigned i = 0; i < kHalf; ++i) sum[i] = (low >> i & 1U) != 0 ? from[i] + offset : 0;
  for (unsigned i = kHalf; i < kLanes; ++i)
    sum[i] = (high >> (i - kHalf) & 1U) != 0 ? from[i] + offset : 0;
  std::uint32_t highest = 0;
  for (unsigned i = 0; i < kLanes; ++i) highest = sum[i] > highest ? sum[i] : highest;
  for (unsigned i = 0; i < kLanes; ++i) to[i] = sum[i];
  return highest;
}

[[gnu::always_inline]] inline Span addresses_body(std::uint64_t* __restrict to,
                                                  const std::uint32_t* __restrict low,
                                                  const std::uint32_t* __restrict high,
                                                  std::uint64_t base, std::uint64_t mask) {
  if (high == nullptr) {
    for (unsigned i = 0; i < kLanes; ++i) to[i] = base + low[i];
  } else {
    for (unsigned i = 0; i < kLanes; ++i) to[i] = base + (low[i] | std::uint64_t{high[i]} << kHalf);
  }
  if (mask != kAllLanes) {
    const std::uint64_t first = to[std::countr_zero(mask)];
    for (unsigned i = 0; i < kLanes; ++i) to[i] = (mask >> i & 1) != 0 ? to[i] : first;
  }
  Span span{to[0], to[0]};
  for (unsigned i = 0; i < kLanes; ++i) {
    span.low = to[i] < span.low ? to[i] : span.low;
    span.high = to[i] > span.high ? to[i] : span.high;
  }
  return span;
}

/// Beyond it a row would go on at zero, whatever the high dword is.
constexpr std::uint32_t kLastRow = ~std::uint32_t{0} - kGroup * sizeof(std::uint32_t);

[[gnu::always_inline]] inline LaneShape shape_in(std::uint64_t* __restrict starts,
                                                 const std::uint32_t* __restrict low,
                                                 const std::uint32_t* __restrict high,
                                                 std::uint64_t base, Pattern pattern) {
  const std::uint64_t upper = high == nullptr ? 0 : std::uint64_t{high[0]} << kHalf;
  starts[0] = base + upper;
  if (!pattern.uniform && !pattern.row) return LaneShape::near;
  bool fits = true;
  for (unsigned g = 0; g < kGroups; ++g) {
    starts[g] = base + (upper | low[g * kGroup]);
    fits = fits && low[g * kGroup] <= kLastRow;
  }
  if (pattern.uniform) return LaneShape::same;
  if (fits) return LaneShape::rows;
  starts[0] = base + upper;
  return LaneShape::near;
}

[[gnu::always_inline]] inline LaneShape shape_body(std::uint64_t* __restrict starts,
                                                   const std::uint32_t* __restrict low,
                                                   const std::uint32_t* __restrict high,
                                                   std::uint64_t base) {
  std::uint32_t unequal = 0, uneven = 0, different = 0;
  for (unsigned g = 0; g < kLanes; g += kGroup) {
    for (unsigned i = 0; i < kGroup; ++i) {
      const std::uint32_t distance = low[g + i] - low[g];
      unequal |= distance;
      uneven |= distance ^ static_cast<std::uint32_t>(i * sizeof(std::uint32_t));
    }
  }
  for (unsigned i = 0; high != nullptr && i < kLanes; ++i) different |= high[i] ^ high[0];
  if (different != 0) return LaneShape::any;
  return shape_in(starts, low, high, base, {unequal == 0, uneven == 0});
}

#if defined(__x86_64__)
// By hand: what says whether any lane differs is one instruction here, and a chain of them in what the compiler makes of the loop.
[[gnu::target("arch=x86-64-v4")]] LaneShape shape_v4(std::uint64_t* starts,
                                                     const std::uint32_t* low,
                                                     const std::uint32_t* high,
                                                     std::uint64_t base) {
  const __m512i steps =
      _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
  __m512i unequal = _mm512_setzero_si512(), uneven = unequal;
  for (unsigned g = 0; g < kLanes; g += kGroup) {
    const __m512i own = _mm512_loadu_si512(low + g);
    const __m512i distance = _mm512_sub_epi32(own, _mm512_set1_epi32(static_cast<int>(low[g])));
    unequal = _mm512_or_si512(unequal, distance);
    uneven = _mm512_or_si512(uneven, _mm512_xor_si512(distance, steps));
  }
  if (high != nullptr) {
    const __m512i first = _mm512_set1_epi32(static_cast<int>(high[0]));
    __m512i different = _mm512_setzero_si512();
    for (unsigned g = 0; g < kLanes; g += kGroup)
      different = _mm512_or_si512(different, _mm512_xor_si512(_mm512_loadu_si512(high + g), first));
    if (_mm512_test_epi32_mask(different, different) != 0) return LaneShape::any;
  }
  return shape_in(
      starts, low, high, base,
      {_mm512_test_epi32_mask(unequal, unequal) == 0, _mm512_test_epi32_mask(uneven, uneven) == 0});
}
#endif

[[gnu::always_inline]] inline void spread_body(std::uint64_t* __restrict to,
                                               const std::uint64_t* __restrict starts,
                                               LaneShape shape,
                                               const std::uint32_t* __restrict low) {
  if (shape == LaneShape::near) {
    const std::uint64_t origin = starts[0];
    for (unsigned i = 0; i < kLanes; ++i) to[i] = origin + low[i];
    return;
  }
  const std::uint64_t step = shape == LaneShape::rows ? sizeof(std::uint32_t) : 0;
  for (unsigned g = 0; g < kGroups; ++g) {
    const std::uint64_t start = starts[g];
    for (unsigned i = 0; i < kGroup; ++i) to[g * kGroup + i] = start + step * i;
  }
}

[[gnu::always_inline]] inline void read_groups_body(std::uint32_t* __restrict to,
                                                    const std::byte* base,
                                                    const std::uint64_t* __restrict starts,
                                                    LaneShape shape, unsigned dwords) {
  for (unsigned k = 0; k < dwords; ++k, to += kLanes, base += sizeof(std::uint32_t)) {
    if (shape == LaneShape::rows) {
      for (unsigned g = 0; g < kGroups; ++g)
        std::memcpy(to + g * kGroup, base + starts[g], kGroup * sizeof(std::uint32_t));
      continue;
    }
    for (unsigned g = 0; g < kGroups; ++g) {
      const std::uint32_t value = *reinterpret_cast<const Dword*>(base + starts[g]);
      for (unsigned i = 0; i < kGroup; ++i) to[g * kGroup + i] = value;
    }
  }
}

[[gnu::always_inline]] inline Span range_body(const std::uint32_t* low) {
  std::uint32_t least = low[0], most = low[0];
  for (unsigned i = 0; i < kLanes; ++i) {
    least = low[i] < least ? low[i] : least;
    most = low[i] > most ? low[i] : most;
  }
  return {least, most};
}

// The addresses may be where the data goes.
[[gnu::always_inline]] inline void read_near_body(std::uint32_t* to, const std::byte* base,
                                                  std::uint64_t origin, const std::uint32_t* low,
                                                  unsigned dwords) {
  alignas(64) std::array<std::uint32_t, kLanes> at;
  std::memcpy(at.data(), low, sizeof(at));
  for (unsigned k = 0; k < dwords; ++k, to += kLanes, origin += sizeof(std::uint32_t)) {
    for (unsigned i = 0; i < kLanes; i += 2) {
      const std::uint64_t first = *reinterpret_cast<const Dword*>(base + (origin + at[i])),
                          second = *reinterpret_cast<const Dword*>(base + (origin + at[i + 1]));
      const std::uint64_t both = first | second << kHalf;
      std::memcpy(to + i, &both, sizeof(both));
    }
  }
}
[[gnu::always_inline]] inline void write_near_body(std::byte* base, std::uint64_t origin,
                                                   const std::uint32_t* low,
                                                   const std::uint32_t* from, unsigned dwords) {
  for (unsigned i = 0; i < kLanes; ++i) {
    std::byte* to = base + (origin + low[i]);
    for (unsigned k = 0; k < dwords; ++k)
      std::memcpy(to + 4 * k, &from[std::size_t{k} * kLanes + i], sizeof(std::uint32_t));
  }
}

[[gnu::always_inline]] inline void write_groups_body(std::byte* base,
                                                     const std::uint64_t* __restrict starts,
                                                     const std::uint32_t* __restrict from) {
  for (unsigned g = 0; g < kGroups; ++g)
    std::memcpy(base + starts[g], from + g * kGroup, kGroup * sizeof(std::uint32_t));
}

// A bit for each row that a bank is asked for: meeting a dword again changes nothing, and nothing is compared. Then the lowest bit of all banks goes until
// none is left: banks with few rows are the rule.
[[gnu::always_inline]] inline std::uint64_t most_of_bank_body(const std::uint64_t* address) {
  constexpr unsigned kBanks = isa::kFewestLdsBanks, kRows = 64;
  constexpr unsigned kBankShift = std::countr_zero(kBanks),
                     kDwordShift = std::countr_zero(isa::kLdsBankBytes);
  static_assert(kBanks == kHalf);
  alignas(64) std::array<std::uint64_t, kBanks> rows{};
#pragma GCC unroll 32
  for (unsigned i = 0; i < kHalf; ++i) {
    const std::uint64_t dword = address[i] >> kDwordShift;
    rows[dword % kBanks] |= std::uint64_t{1} << (dword >> kBankShift) % kRows;
  }
  std::array<Four, kBanks / kFour> left;
  for (unsigned i = 0; i < left.size(); ++i) load_four(left[i], rows.data() + i * kFour);
  for (std::uint64_t most = 1;; ++most) {
    Four any{};
    for (Four& four : left) {
      four &= four - 1;
      any |= four;
    }
    if (is_zero(any)) return most;
  }
}

[[gnu::always_inline]] inline bool at_distances_body(const std::uint64_t* address,
                                                     std::uint64_t base,
                                                     const std::uint64_t* distance) {
  std::uint64_t different = 0;
  for (unsigned i = 0; i < kLanes; ++i) different |= (address[i] - base) ^ distance[i];
  return different == 0;
}

[[gnu::always_inline]] inline std::size_t ascending_lines_body(const std::uint64_t* address,
                                                               std::uint32_t bytes, unsigned shift,
                                                               std::uint64_t* __restrict line,
                                                               std::uint64_t* __restrict spread,
                                                               std::uint64_t& narrow) {
  constexpr unsigned kNarrowShift = 6;
  constexpr std::uint64_t kInLine = (1U << kNarrowShift) - 1;
  const std::uint64_t base = address[0] >> shift;
  std::uint64_t crossing = 0, falling = 0, changes = 0, wide_changes = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    crossing |= ((address[i] & kInLine) + bytes - 1) >> kNarrowShift;
    line[i] = (address[i] >> shift) - base;
  }
  for (unsigned i = 1; i < kLanes; ++i) {
    const std::uint64_t step = (address[i] >> kNarrowShift) - (address[i - 1] >> kNarrowShift);
    falling |= step;
    changes += step != 0 ? 1U : 0U;
    // Not from what was just stored, which a wider load would have to wait for.
    wide_changes += address[i] >> shift != address[i - 1] >> shift ? 1U : 0U;
  }
  if (crossing != 0 || falling >> 63 != 0) return 0;
  narrow = changes + 1;
  if (wide_changes != kLanes - 1) {
    std::size_t last = 0;
    for (unsigned i = 1; i < kLanes; ++i) {
      const std::uint64_t own = line[i];
      last += own != line[last] ? 1U : 0U;
      line[last] = own;
    }
  }
  for (std::size_t i = 0; i < kLanes; ++i) spread[i] = line[i] * kLineFactor;
  return wide_changes + 1;
}

[[gnu::always_inline]] inline std::uint64_t without_bits_body(const std::uint64_t* spread,
                                                              std::uint64_t begin,
                                                              std::uint64_t mask) {
  std::uint32_t low = 0, high = 0;
  for (unsigned i = 0; i < kHalf; ++i) low |= (((begin + spread[i]) & mask) == 0 ? 1U : 0U) << i;
  for (unsigned i = 0; i < kHalf; ++i)
    high |= (((begin + spread[i + kHalf]) & mask) == 0 ? 1U : 0U) << i;
  return low | std::uint64_t{high} << kHalf;
}

[[gnu::always_inline]] inline bool write_rows_body(std::byte* base, std::uint64_t origin,
                                                   const std::uint64_t* address,
                                                   const std::uint32_t* from) {
  if (!pattern_of(address).row) return false;
  for (unsigned first = 0; first < kLanes; first += kGroup)
    std::memcpy(base + (address[first] - origin), from + first, kGroup * sizeof(std::uint32_t));
  return true;
}

auto best_shape() {
#if defined(__x86_64__)
  if (processor_level() == 4) return shape_v4;
#endif
  return Levels<shape_body>::best();
}

}  // namespace

const Primitives chosen_primitives{
    .fill = Levels<fill_body>::best(),
    .expand = Levels<expand_body>::best(),
    .change_bits = Levels<change_bits_body>::best(),
    .cut = Levels<cut_body>::best(),
    .blend = Levels<blend_body>::best(),
    .gather = Levels<gather_body>::best(),
    .offsets = Levels<offsets_body>::best(),
    .addresses = Levels<addresses_body>::best(),
    .shape = best_shape(),
    .spread = Levels<spread_body>::best(),
    .range = Levels<range_body>::best(),
    .read_near = Levels<read_near_body>::best(),
    .write_near = Levels<write_near_body>::best(),
    .read_groups = Levels<read_groups_body>::best(),
    .write_groups = Levels<write_groups_body>::best(),
    .most_of_bank = Levels<most_of_bank_body>::best(),
    .at_distances = Levels<at_distances_body>::best(),
    .ascending_lines = Levels<ascending_lines_body>::best(),
    .without_bits = Levels<without_bits_body>::best(),
    .write_rows = Levels<write_rows_body>::best(),
};

}  // namespace rpl::emu
