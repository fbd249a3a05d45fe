// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

/// The narrow floats that matrix instructions read, beside engine/emu/half.h. Conversions to float are exact.
namespace rpl::emu {

/// The upper half of a binary32.
[[gnu::always_inline]] inline float bfloat_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// Rounds to nearest even; a NaN becomes quiet.
[[gnu::always_inline]] inline std::uint16_t float_to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fffU + (bits >> 16 & 1U);
  return static_cast<std::uint16_t>((value != value ? bits | 0x400000U : rounded) >> 16);
}

/// The 8-bit floats of gfx942, which have no infinities, no negative zero (0x80 is the NaN) and a bias of 8 (3 mantissa bits,
/// "fp8") or 16 (2, "bf8"): CDNA3 ISA document, "Small Float Formats".
template <int kMantissa>
[[gnu::always_inline]] inline float small_to_float(std::uint8_t bits) {
  constexpr int kBias = kMantissa == 3 ? 8 : 16;
  constexpr std::uint32_t kNanBits = 0x80, kFraction = (1U << kMantissa) - 1;
  if (bits == kNanBits) return std::bit_cast<float>(0x7fc00000U);
  const std::uint32_t magnitude = bits & 0x7fU, sign = (bits & 0x80U) << 24;
  const auto exponent = static_cast<int>(magnitude >> kMantissa);
  // Exponents of binary32, scaled by a power of two that float holds.
  constexpr float kStep =
      std::bit_cast<float>(static_cast<std::uint32_t>(127 + 1 - kBias - kMantissa) << 23);
  if (exponent == 0) {
    const float value = static_cast<float>(magnitude & kFraction) * kStep;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
  }
  const auto wide = static_cast<std::uint32_t>(exponent - kBias + 127) << 23 |
                    (magnitude & kFraction) << (23 - kMantissa);
  return std::bit_cast<float>(sign | wide);
}

}  // namespace rpl::emu
