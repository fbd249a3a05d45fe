// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

/// The floats of 4, 6 and 8 bits of the Open Compute Project ("OFP8", version 1.0; "Microscaling Formats", version 1.0), which
/// gfx950 has, and E8M0, the powers of two that scale blocks of them.
namespace rpl::emu {

/// Bits of exponent and mantissa, below a sign.
struct SmallFormat {
  int exponent = 0, mantissa = 0, bias = 0;
  bool has_infinity = false;  ///< with the largest exponent all the codes are infinities and NaNs
  bool has_nan = false;       ///< else only the largest code is a NaN, or none

  [[nodiscard]] constexpr int bits() const { return 1 + exponent + mantissa; }
  [[nodiscard]] constexpr std::uint32_t sign() const { return 1U << (exponent + mantissa); }
  [[nodiscard]] constexpr std::uint32_t infinity() const {
    return ((1U << exponent) - 1) << mantissa;
  }
  /// The code of the largest finite number, without a sign.
  [[nodiscard]] constexpr std::uint32_t largest() const {
    return has_infinity ? infinity() - 1 : sign() - (has_nan ? 2U : 1U);
  }
};

inline constexpr SmallFormat kFp8{4, 3, 7, false, true}, kBf8{5, 2, 15, true, true}, kFp6{2, 3, 1},
    kBf6{3, 2, 3}, kFp4{2, 1, 1};

/// Exact.
inline double from_small(const SmallFormat& format, std::uint32_t code) {
  const std::uint32_t magnitude = code & (format.sign() - 1);
  const double sign = (code & format.sign()) != 0 ? -1.0 : 1.0;
  if (format.has_infinity && magnitude == format.infinity())
    return sign * std::numeric_limits<double>::infinity();
  if (magnitude > format.largest()) return std::numeric_limits<double>::quiet_NaN();
  const auto exponent = static_cast<int>(magnitude >> format.mantissa);
  const auto fraction = static_cast<int>(magnitude & ((1U << format.mantissa) - 1));
  const int whole = exponent == 0 ? fraction : fraction + (1 << format.mantissa);
  return sign * std::ldexp(whole, (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa);
}

/// What is added to a number's steps in place of rounding them to nearest even: a part of one step.
struct Dither {
  bool is_used = false;
  double part = 0;
};

/// Rounds to nearest even, or adds the part and rounds down. What is too large becomes an infinity or, where the format has none, a NaN; the
/// largest number where it has neither or where `saturate`. A NaN without a code becomes the largest number too.
inline std::uint32_t to_small(const SmallFormat& format, double value, Dither dither,
                              bool saturate) {
  const std::uint32_t sign = std::signbit(value) ? format.sign() : 0;
  const std::uint32_t nan = format.has_nan ? format.sign() - 1 : format.largest();
  if (value != value) return sign | nan;
  const std::uint32_t beyond = saturate || !format.has_nan ? format.largest()
                               : format.has_infinity       ? format.infinity()
                                                           : nan;
  if (std::isinf(value)) return sign | beyond;
  const double magnitude = std::fabs(value);
  const int lowest = 1 - format.bias;
  const int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), lowest) : lowest;
  const double steps = std::ldexp(magnitude, format.mantissa - exponent);
  const double rounded = dither.is_used ? std::floor(steps + dither.part) : std::nearbyint(steps);
  // Steps of a binade begin with the bit that subnormal numbers lack, which the exponent counts once more.
  const double code = rounded + std::ldexp(exponent - lowest, format.mantissa);
  return sign | (code > format.largest() ? beyond : static_cast<std::uint32_t>(code));
}

/// The number that an E8M0 code means as a power of two; the last one means a NaN.
inline constexpr int kScaleBias = 127, kScaleNan = 255;

}  // namespace rpl::emu
