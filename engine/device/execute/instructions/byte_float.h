// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// The 8-bit floats of gfx942: no infinities, no -0, one NaN, 0x80 ("FNUZ"; CDNA3 ISA document,
/// "FP8 and BF8").
namespace rpl::emu {

struct Fp8 {  ///< E4M3, up to 240
  static constexpr int kMantissa = 3, kBias = 8;
};
struct Bf8 {  ///< E5M2, up to 57344
  static constexpr int kMantissa = 2, kBias = 16;
};

inline constexpr std::uint32_t kByteNan = 0x80, kByteLargest = 0x7f;

/// Exact.
template <class F>
[[gnu::always_inline]] inline float from_byte_float(std::uint32_t byte) {
  constexpr int kFloatBias = 127, kFloatMantissa = 23;
  if ((byte & 0xffU) == kByteNan) return std::numeric_limits<float>::quiet_NaN();
  const std::uint32_t sign = (byte & 0x80U) << 24, fraction = byte & ((1U << F::kMantissa) - 1);
  const auto exponent = static_cast<int>((byte & 0x7fU) >> F::kMantissa);
  if (exponent == 0) {
    constexpr float kStep = std::bit_cast<float>(
        static_cast<std::uint32_t>(kFloatBias + 1 - F::kBias - F::kMantissa) << kFloatMantissa);
    return std::bit_cast<float>(sign |
                                std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * kStep));
  }
  const auto wide = static_cast<std::uint32_t>(exponent - F::kBias + kFloatBias) << kFloatMantissa;
  return std::bit_cast<float>(sign | wide | fraction << (kFloatMantissa - F::kMantissa));
}

/// `value` in steps of the format at its magnitude, not yet rounded, and what to add to the rounded steps for the code.
struct ByteSteps {
  double steps = 0;
  int offset = 0;
};
template <class F>
inline ByteSteps byte_steps(double magnitude) {
  constexpr int kLowest = 1 - F::kBias;
  const int exponent = magnitude > 0 ? std::ilogb(magnitude) : kLowest;
  if (exponent < kLowest) return {std::ldexp(magnitude, F::kMantissa - kLowest), 0};
  const int limited = exponent > 2 * F::kBias ? 2 * F::kBias : exponent;
  return {std::ldexp(magnitude, F::kMantissa - limited), (limited - kLowest) << F::kMantissa};
}

/// Rounds to nearest even, or adds `random` / 2^32 of a step and truncates. What is too large becomes a NaN or, with
/// `saturate`, the largest number.
template <class F>
inline std::uint32_t to_byte_float(float value, const std::uint32_t* random, bool saturate) {
  if (value != value) return kByteNan;
  const double magnitude = std::fabs(static_cast<double>(value));
  const auto [steps, offset] = byte_steps<F>(std::isinf(value) ? 0x1p100 : magnitude);
  // Only as many random bits count as the conversion drops of a float's mantissa.
  constexpr int kDropped = 23 - F::kMantissa;
  const double rounded =
      random == nullptr
          ? std::nearbyint(steps)
          : std::floor(steps +
                       std::ldexp(static_cast<double>(*random >> (32 - kDropped)), -kDropped));
  constexpr double kTooMany = 1 << 10;
  const auto code = static_cast<std::uint32_t>((rounded > kTooMany ? kTooMany : rounded) + offset);
  if (code > kByteLargest && !saturate) return kByteNan;
  const std::uint32_t limited = code > kByteLargest ? kByteLargest : code;
  return limited == 0 ? 0 : limited | (std::signbit(value) ? 0x80U : 0U);
}

}  // namespace rpl::emu
