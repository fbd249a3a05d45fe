// SPDX-License-Identifier: MIT
// Sums of absolute differences (v_sad, v_msad, v_qsad) and v_lerp_u8.
#include <algorithm>

#include "engine/device/execute/instructions/vector_table.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kLargest32 = ~u32{0}, kLargest16 = 0xffff;

constexpr u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }
constexpr u32 byte(u32 a, unsigned index) { return a >> (8 * index) & 0xffU; }

/// With kMasked, bytes that are zero in the reference `b` do not count.
template <bool kMasked>
constexpr u64 byte_distances(u32 a, u32 b) {
  u64 sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const bool counts = !kMasked || byte(b, i) != 0;
    sum += counts ? distance(byte(a, i), byte(b, i)) : 0;
  }
  return sum;
}
constexpr u64 short_distances(u32 a, u32 b) {
  return u64{distance(a & 0xffffU, b & 0xffffU)} + distance(a >> 16, b >> 16);
}

constexpr u32 low_dword(u64 sum) { return static_cast<u32>(sum); }
constexpr u32 saturated(u64 sum) { return static_cast<u32>(std::min(sum, kLargest32)); }

/// Four sums, at byte offsets 0 to 3 of the eight bytes `a`, added to the four shorts of `c`.
template <bool kMasked, bool kClamped>
constexpr u64 quad(u64 a, u32 b, u64 c) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const u64 sum =
        byte_distances<kMasked>(static_cast<u32>(a >> (8 * i)), b) + (c >> (16 * i) & kLargest16);
    result |= (kClamped ? std::min(sum, kLargest16) : sum & kLargest16) << (16 * i);
  }
  return result;
}

template <class F, class G>
VectorEntry sum_entry(F plain, G, std::string name) {
  VectorEntry entry = vector_entry(plain, std::move(name));
  entry.clamped = lane_function<G{}>();
  return entry;
}

constexpr u32 average(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= (byte(a, i) + byte(b, i) + (byte(c, i) & 1U)) >> 1 << (8 * i);
  return result;
}

}  // namespace

std::vector<VectorEntry> byte_entries() {
  return {
      sum_entry([](u32 a, u32 b, u32 c) { return low_dword(byte_distances<false>(a, b) + c); },
                [](u32 a, u32 b, u32 c) { return saturated(byte_distances<false>(a, b) + c); },
                "v_sad_u8"),
      sum_entry(
          [](u32 a, u32 b, u32 c) { return low_dword((byte_distances<false>(a, b) << 16) + c); },
          [](u32 a, u32 b, u32 c) { return saturated((byte_distances<false>(a, b) << 16) + c); },
          "v_sad_hi_u8"),
      sum_entry([](u32 a, u32 b, u32 c) { return low_dword(short_distances(a, b) + c); },
                [](u32 a, u32 b, u32 c) { return saturated(short_distances(a, b) + c); },
                "v_sad_u16"),
      sum_entry([](u32 a, u32 b, u32 c) { return low_dword(u64{distance(a, b)} + c); },
                [](u32 a, u32 b, u32 c) { return saturated(u64{distance(a, b)} + c); },
                "v_sad_u32"),
      sum_entry([](u32 a, u32 b, u32 c) { return low_dword(byte_distances<true>(a, b) + c); },
                [](u32 a, u32 b, u32 c) { return saturated(byte_distances<true>(a, b) + c); },
                "v_msad_u8"),
      sum_entry([](u64 a, u32 b, u64 c) { return quad<false, false>(a, b, c); },
                [](u64 a, u32 b, u64 c) { return quad<false, true>(a, b, c); }, "v_qsad_pk_u16_u8"),
      sum_entry([](u64 a, u32 b, u64 c) { return quad<true, false>(a, b, c); },
                [](u64 a, u32 b, u64 c) { return quad<true, true>(a, b, c); }, "v_mqsad_pk_u16_u8"),
      vector_entry([](u32 a, u32 b, u32 c) { return average(a, b, c); }, "v_lerp_u8"),
  };
}

}  // namespace rpl::emu
