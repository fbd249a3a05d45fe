// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

/// bfloat16 by its bits. The conversion to float is exact.
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

}  // namespace rpl::emu
