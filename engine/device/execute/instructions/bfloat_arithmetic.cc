// SPDX-License-Identifier: MIT
// Conversions from and to bfloat16, and products of pairs of them.
#include "engine/device/execute/state/bfloat.h"

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/half_math.h"

namespace rpl::emu {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

float low_of(BfloatPair pair) { return bfloat_to_float(static_cast<u16>(pair.bits)); }
float high_of(BfloatPair pair) { return bfloat_to_float(static_cast<u16>(pair.bits >> 16)); }

// The order of the ISA document's pseudocode; products are exact in float.
float dot_of_bfloats(BfloatPair a, BfloatPair b, float c) {
  const float first = low_of(a) * low_of(b);
  const float both =
      result_of(__builtin_fmaf(high_of(a), high_of(b), first), high_of(a), high_of(b), first);
  return result_of(both + c, both, c);
}
float dot_onto(BfloatPair a, BfloatPair b, float c) {
  const float x = low_of(a), y = low_of(b), z = high_of(a), w = high_of(b);
  const float first = result_of(__builtin_fmaf(x, y, c), x, y, c);
  return result_of(__builtin_fmaf(z, w, first), z, w, first);
}

/// Adds random bits below the last one that is kept and cuts off.
u16 dithered_bfloat(float value, u32 random) {
  const auto bits = std::bit_cast<u32>(value);
  constexpr u32 kExponent = 0x7f800000U;
  if ((bits & kExponent) == kExponent) return float_to_bfloat(value);
  return static_cast<u16>((bits + (random >> 16)) >> 16);
}

/// The same for a half, whose steps below 2^-14 are 2^-24.
u16 dithered_half(float value, u32 random) {
  const double magnitude = std::fabs(static_cast<double>(value));
  if (!(magnitude < 65536.0)) return to_half(value).bits;
  constexpr int kLowest = -14, kMantissa = 10;
  const int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), kLowest) : kLowest;
  const double step = std::ldexp(1.0, exponent - kMantissa);
  const double steps = std::floor(magnitude / step + std::ldexp(random, -32));
  return to_half(std::copysign(steps * step, static_cast<double>(value))).bits;
}

/// As the mode asks of halves that overflow.
u16 packed_half(float value) {
  const u16 bits = to_half(value).bits;
  const bool overflowed = (bits & 0x7fffU) == 0x7c00U && !std::isinf(value);
  return current_mode().half_overflow && overflowed ? static_cast<u16>(bits - 1) : bits;
}

}  // namespace

std::vector<VectorEntry> bfloat_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](Bfloat a) { return bfloat_to_float(a.bits); }, "v_cvt_f32_bf16"),
      vector_entry(
          [](float a, float b) { return float_to_bfloat(a) | u32{float_to_bfloat(b)} << 16; },
          "v_cvt_pk_bf16_f32"),
      vector_entry([](float a, float b) { return to_half(a).bits | u32{to_half(b).bits} << 16; },
                   "v_cvt_pk_f16_f32"),
      vector_entry([](float a, u32 random) { return dithered_bfloat(a, random); },
                   "v_cvt_sr_bf16_f32"),
      vector_entry([](float a, u32 random) { return dithered_half(a, random); },
                   "v_cvt_sr_f16_f32"),
      vector_entry([](BfloatPair a, BfloatPair b, float c) { return dot_of_bfloats(a, b, c); },
                   "v_dot2_f32_bf16"),
      vector_entry([](BfloatPair a, BfloatPair b, float c) { return dot_onto(a, b, c); },
                   "v_dot2c_f32_bf16"),
  };
  entries[2].by_mode =
      lane_function<[](float a, float b) { return packed_half(a) | u32{packed_half(b)} << 16; }>();
  for (auto& entry : entries) {
    const bool converts = entry.name.starts_with("v_cvt_"),
               stochastic = entry.name.starts_with("v_cvt_sr_");
    entry.fixed_rounding = converts;
    entry.keeps_denormals = entry.name == "v_cvt_f32_bf16";
    entry.approximate = stochastic || !converts;
    if (stochastic) entry.rest = VectorEntry::Rest::kept;
    entry.accumulates = entry.name == "v_dot2c_f32_bf16";
  }
  return entries;
}

}  // namespace rpl::emu
