// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace rpl::emu {

/// An IEEE binary16 by its bits.
struct Half {
  std::uint16_t bits;
};

/// Exact.
[[gnu::always_inline]] inline float to_float(Half half) {
  const std::uint32_t sign = (half.bits & 0x8000U) << 16, magnitude = half.bits & 0x7fffU;
  constexpr std::uint32_t kInfinity = 0x7c00, kRebias = 112U << 23;
  if (magnitude >= kInfinity)
    return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
  if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + kRebias));
  constexpr float kSmallestStep = 0x1p-24f;
  const float value = static_cast<float>(magnitude) * kSmallestStep;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}

/// Rounds to nearest even.
[[gnu::always_inline]] inline Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U)
    return {static_cast<std::uint16_t>(sign | 0x7e00U | (magnitude >> 13 & 0x3ffU))};
  if (magnitude >= 0x47800000U) return {static_cast<std::uint16_t>(sign | 0x7c00U)};
  if (magnitude < 0x38800000U) {
    // Adding 0.5 leaves the half's subnormal steps as the last bits of the sum, rounded by the addition itself.
    const float sum = std::bit_cast<float>(magnitude) + 0.5f;
    return {static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000U))};
  }
  const std::uint32_t odd = magnitude >> 13 & 1U;
  return {static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000U + 0xfffU + odd) >> 13))};
}

}  // namespace rpl::emu
