// SPDX-License-Identifier: MIT
// Dot products of parts of a dword (v_dot2, v_dot4, v_dot8), added to a third source.
#include <limits>

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/float_math.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class T>
constexpr i64 within(i64 value) {
  constexpr i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return value < low ? low : value > high ? high : value;
}

/// Element `index` of kBits bits, sign-extended if T is signed.
template <class T, unsigned kBits>
constexpr i64 element(u32 dword, unsigned index) {
  const unsigned up = 32 - kBits - index * kBits, down = 32 - kBits;
  if constexpr (std::is_signed_v<T>) return static_cast<i32>(dword << up) >> down;
  return dword << up >> down;
}

/// T is the type of the sum: i32 or u32. The sum is exact before it wraps or saturates.
template <class T, unsigned kBits, bool kClamped>
constexpr u32 dot(u32 a, u32 b, u32 c) {
  i64 sum = static_cast<T>(c);
  for (unsigned i = 0; i < 32 / kBits; ++i)
    sum += element<T, kBits>(a, i) * element<T, kBits>(b, i);
  return static_cast<u32>(kClamped ? within<T>(sum) : sum);
}

template <class T, unsigned kBits, bool kClamped>
struct Dot {
  u32 operator()(u32 a, u32 b, u32 c) const { return dot<T, kBits, kClamped>(a, b, c); }
};
template <class T, bool kClamped>
struct DotOfPairs {
  u32 operator()(ShortPair a, ShortPair b, u32 c) const {
    return dot<T, 16, kClamped>(a.bits, b.bits, c);
  }
};

template <template <class, unsigned, bool> class D, class T, unsigned kBits>
VectorEntry dot_entry(std::string name) {
  VectorEntry entry = vector_entry(D<T, kBits, false>{}, std::move(name));
  entry.clamped = lane_function<D<T, kBits, true>{}>();
  return entry;
}
template <class T>
VectorEntry dot2_entry(std::string name) {
  VectorEntry entry = vector_entry(DotOfPairs<T, false>{}, std::move(name));
  entry.clamped = lane_function<DotOfPairs<T, true>{}>();
  return entry;
}

// Products of halves are exact in float. The order of the two sums is that of the ISA documents' pseudocode; whether the
// hardware rounds in between is not documented.
struct DotOfHalves {
  float operator()(HalfPair a, HalfPair b, float c) const {
    const float x = to_float(Half{static_cast<std::uint16_t>(a.bits)}),
                y = to_float(Half{static_cast<std::uint16_t>(b.bits)}),
                z = to_float(Half{static_cast<std::uint16_t>(a.bits >> 16)}),
                w = to_float(Half{static_cast<std::uint16_t>(b.bits >> 16)});
    const float first = result_of(__builtin_fmaf(x, y, c), x, y, c);
    return result_of(__builtin_fmaf(z, w, first), z, w, first);
  }
};

}  // namespace

std::vector<VectorEntry> dot_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry(DotOfHalves{}, "v_dot2_f32_f16"),
      vector_entry(DotOfHalves{}, "v_dot2c_f32_f16"),
      dot2_entry<i32>("v_dot2_i32_i16"),
      dot2_entry<i32>("v_dot2c_i32_i16"),
      dot2_entry<u32>("v_dot2_u32_u16"),
      dot_entry<Dot, i32, 8>("v_dot4_i32_i8"),
      dot_entry<Dot, i32, 8>("v_dot4c_i32_i8"),
      dot_entry<Dot, u32, 8>("v_dot4_u32_u8"),
      dot_entry<Dot, i32, 4>("v_dot8_i32_i4"),
      dot_entry<Dot, i32, 4>("v_dot8c_i32_i4"),
      dot_entry<Dot, u32, 4>("v_dot8_u32_u4"),
  };
  for (auto& entry : entries) {
    entry.accumulates = entry.name.find("c_") != std::string::npos;
    entry.approximate = entry.name.ends_with("_f16");
  }
  return entries;
}

}  // namespace rpl::emu
