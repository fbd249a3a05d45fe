// SPDX-License-Identifier: MIT
// 16-bit integers that the short encodings lack, and what saturates when the clamp bit is set.
#include <algorithm>
#include <limits>

#include "engine/device/execute/instructions/vector_table.h"

namespace rpl::emu {
namespace {

using u16 = std::uint16_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

template <class T>
constexpr T saturated_to(i64 value) {
  constexpr i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

template <class F, class G>
VectorEntry clampable(F plain, G, std::string name) {
  VectorEntry entry = vector_entry<true>(plain, std::move(name));
  entry.clamped = lane_function<G{}>();
  return entry;
}

constexpr i64 low24(u32 a) { return a & 0xffffffU; }
constexpr i64 signed24(u32 a) { return static_cast<i32>(a << 8) >> 8; }

template <class T>
constexpr T median_of(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace

std::vector<VectorEntry> short_entries() {
  std::vector<VectorEntry> entries = {
      clampable([](u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); },
                [](u16 a, u16 b, u16 c) { return saturated_to<u16>(i64{a} * b + c); }, "v_mad_u16"),
      clampable([](i16 a, i16 b, i16 c) { return static_cast<i16>(i32{a} * b + c); },
                [](i16 a, i16 b, i16 c) { return saturated_to<i16>(i64{a} * b + c); }, "v_mad_i16"),
      clampable([](i16 a, i16 b) { return static_cast<i16>(a + b); },
                [](i16 a, i16 b) { return saturated_to<i16>(i64{a} + b); }, "v_add_i16"),
      clampable([](i16 a, i16 b) { return static_cast<i16>(a - b); },
                [](i16 a, i16 b) { return saturated_to<i16>(i64{a} - b); }, "v_sub_i16"),
      vector_entry([](u16 a, u16 b, u16 c) { return std::min(std::min(a, b), c); }, "v_min3_u16"),
      vector_entry([](u16 a, u16 b, u16 c) { return std::max(std::max(a, b), c); }, "v_max3_u16"),
      vector_entry([](i16 a, i16 b, i16 c) { return std::min(std::min(a, b), c); }, "v_min3_i16"),
      vector_entry([](i16 a, i16 b, i16 c) { return std::max(std::max(a, b), c); }, "v_max3_i16"),
      vector_entry([](u16 a, u16 b, u16 c) { return median_of(a, b, c); }, "v_med3_u16"),
      vector_entry([](i16 a, i16 b, i16 c) { return median_of(a, b, c); }, "v_med3_i16"),
  };
  for (auto& entry : entries) {
    entry.rest = VectorEntry::Rest::kept;
    if (entry.clamped == nullptr) entry.clamped = entry.lanes;  // nothing to saturate
  }
  const std::vector<VectorEntry> others = {
      clampable([](u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); },
                [](u16 a, u16 b, u16 c) { return saturated_to<u16>(i64{a} * b + c); },
                "v_mad_legacy_u16"),
      clampable([](i16 a, i16 b, i16 c) { return static_cast<i16>(i32{a} * b + c); },
                [](i16 a, i16 b, i16 c) { return saturated_to<i16>(i64{a} * b + c); },
                "v_mad_legacy_i16"),
      clampable([](u16 a, u16 b, u32 c) { return u32{a} * b + c; },
                [](u16 a, u16 b, u32 c) { return saturated_to<u32>(i64{a} * b + c); },
                "v_mad_u32_u16"),
      clampable([](i16 a, i16 b, u32 c) { return static_cast<u32>(i32{a} * b) + c; },
                [](i16 a, i16 b, i32 c) { return saturated_to<i32>(i64{a} * b + c); },
                "v_mad_i32_i16"),
      clampable([](u16 a, u16 b) { return static_cast<u16>(a + b); },
                [](u16 a, u16 b) { return saturated_to<u16>(i64{a} + b); }, "v_add_u16"),
      clampable([](u16 a, u16 b) { return static_cast<u16>(a - b); },
                [](u16 a, u16 b) { return saturated_to<u16>(i64{a} - b); }, "v_sub_u16"),
      clampable([](u16 a, u16 b) { return static_cast<u16>(b - a); },
                [](u16 a, u16 b) { return saturated_to<u16>(i64{b} - a); }, "v_subrev_u16"),
  };
  entries.insert(entries.end(), others.begin(), others.end());
  return entries;
}

std::vector<VectorEntry> saturating_entries() {
  return {
      clampable([](u32 a, u32 b) { return a + b; },
                [](u32 a, u32 b) { return saturated_to<u32>(i64{a} + b); }, "v_add_u32"),
      clampable([](u32 a, u32 b) { return a - b; },
                [](u32 a, u32 b) { return saturated_to<u32>(i64{a} - b); }, "v_sub_u32"),
      clampable([](u32 a, u32 b) { return b - a; },
                [](u32 a, u32 b) { return saturated_to<u32>(i64{b} - a); }, "v_subrev_u32"),
      clampable([](u32 a, u32 b) { return a + b; },
                [](i32 a, i32 b) { return saturated_to<i32>(i64{a} + b); }, "v_add_i32"),
      clampable([](u32 a, u32 b) { return a - b; },
                [](i32 a, i32 b) { return saturated_to<i32>(i64{a} - b); }, "v_sub_i32"),
      clampable([](u32 a, u32 b) { return static_cast<u32>(low24(a) * low24(b)); },
                [](u32 a, u32 b) { return saturated_to<u32>(low24(a) * low24(b)); },
                "v_mul_u32_u24"),
      clampable([](u32 a, u32 b) { return static_cast<u32>(signed24(a) * signed24(b)); },
                [](u32 a, u32 b) { return saturated_to<i32>(signed24(a) * signed24(b)); },
                "v_mul_i32_i24"),
      vector_entry([](u32 a, u32 b) { return static_cast<u32>(signed24(a) * signed24(b) >> 32); },
                   "v_mul_hi_i32_i24"),
      clampable([](u32 a, u32 b, u32 c) { return static_cast<u32>(low24(a) * low24(b)) + c; },
                [](u32 a, u32 b, u32 c) { return saturated_to<u32>(low24(a) * low24(b) + c); },
                "v_mad_u32_u24"),
      clampable(
          [](u32 a, u32 b, u32 c) { return static_cast<u32>(signed24(a) * signed24(b)) + c; },
          [](u32 a, u32 b, i32 c) { return saturated_to<i32>(signed24(a) * signed24(b) + c); },
          "v_mad_i32_i24"),
  };
}

}  // namespace rpl::emu
