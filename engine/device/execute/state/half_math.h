// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/half.h"
#include "engine/device/execute/state/float_math.h"
#include "engine/device/execute/state/float_mode.h"

/// binary16 arithmetic with one rounding. Every function takes as `Round` how the result is rounded: Nearest, or ByMode for the
/// slow path of waves whose MODE is not the usual one.
namespace rpl::emu {

[[gnu::always_inline]] inline double to_double(Half half) { return to_float(half); }

/// Rounds to nearest even, once.
[[gnu::always_inline]] inline Half to_half(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000U);
  const std::uint64_t magnitude = bits & 0x7fffffffffffffffU;
  constexpr std::uint64_t kInfinity = 0x7ff0000000000000U, kFirstInfinite = 0x40effe0000000000U,
                          kFirstNormal = 0x3f10000000000000U, kRebias = std::uint64_t{1008} << 52;
  // Adding 2^28 leaves the half's subnormal steps as the last bits of the sum, rounded by the addition itself.
  constexpr double kAligner = 0x1p28;
  const double sum = std::bit_cast<double>(magnitude) + kAligner;
  const std::uint64_t steps =
      std::bit_cast<std::uint64_t>(sum) - std::bit_cast<std::uint64_t>(kAligner);
  const std::uint64_t odd = magnitude >> 42 & 1U;
  const std::uint64_t normal = (magnitude - kRebias + ((std::uint64_t{1} << 41) - 1) + odd) >> 42;
  const std::uint64_t nan = 0x7e00U | (magnitude >> 42 & 0x3ffU);
  const std::uint64_t finite = magnitude < kFirstNormal ? steps : normal;
  const std::uint64_t ordered = magnitude >= kFirstInfinite ? std::uint64_t{0x7c00} : finite;
  return {static_cast<std::uint16_t>(sign | (magnitude > kInfinity ? nan : ordered))};
}

/// The half next to `value` towards zero; infinities and NaNs as they are.
inline Half truncated_to_half(double value) {
  const double magnitude = std::fabs(value);
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  if (!(magnitude < 65536.0)) {
    if (!std::isinf(value) && value == value) return {static_cast<std::uint16_t>(sign | 0x7bffU)};
    return to_half(value);
  }
  constexpr double kFirstNormal = 0x1p-14, kSteps = 0x1p24;
  if (magnitude < kFirstNormal)
    return {static_cast<std::uint16_t>(sign | static_cast<unsigned>(magnitude * kSteps))};
  const auto bits = std::bit_cast<std::uint64_t>(magnitude);
  return {static_cast<std::uint16_t>(sign | (bits - (std::uint64_t{1008} << 52)) >> 42)};
}

inline Half to_half(double value, Rounding rounding) {
  if (rounding == Rounding::nearest_even) return to_half(value);
  const Half inner = truncated_to_half(value);
  const bool exact = value != value || to_double(inner) == value;
  const bool away = rounding == Rounding::up     ? value > 0
                    : rounding == Rounding::down ? value < 0
                                                 : false;
  return exact || !away ? inner : Half{static_cast<std::uint16_t>(inner.bits + 1)};
}

/// a * b + c of halves. Rounded to odd, so that rounding it to a half is one rounding (Boldo and Melquiond, "Emulation of FMA
/// and correctly rounded sums: proved algorithms using rounding to odd", 2008).
[[gnu::always_inline]] inline double half_product_sum(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const std::uint64_t toward = (error > 0) == (sum > 0) ? 1U : ~std::uint64_t{0};
  const bool adjust = error != 0 && (bits & 1U) == 0 && sum - sum == 0;
  return std::bit_cast<double>(adjust ? bits + toward : bits);
}

struct Nearest {
  using Wide =
      float;  ///< sums and products of two halves, rounded to float and then to half, are rounded as if once
  [[gnu::always_inline]] static Half half(float value) { return to_half(value); }
  [[gnu::always_inline]] static Half half(double value) { return to_half(value); }
  [[gnu::always_inline]] static Half sum(Wide value, Wide, Wide) { return to_half(value); }
  [[gnu::always_inline]] static Half sum(double value, double, double) { return to_half(value); }
  [[gnu::always_inline]] static bool ieee() { return true; }
};

struct ByMode {
  using Wide = double;
  static Half half(double value) {
    const FloatMode& mode = current_mode();
    const Half rounded = to_half(value, mode.f16_f64.rounding);
    const bool overflowed = (rounded.bits & 0x7fffU) == 0x7c00U && !std::isinf(value);
    return mode.half_overflow && overflowed ? Half{static_cast<std::uint16_t>(rounded.bits - 1)}
                                            : rounded;
  }
  /// Of a + b: rounding down, opposites cancel to -0.
  static Half sum(double value, double a, double b) {
    const bool same_zeros = a == 0 && b == 0 && std::signbit(a) == std::signbit(b);
    const bool down = current_mode().f16_f64.rounding == Rounding::down;
    return half(value == 0 && !same_zeros && down ? -0.0 : value);
  }
  static bool ieee() { return current_mode().ieee; }
};

/// Signalling NaNs of halves are lost where they become floats or doubles, so they are looked for here.
[[gnu::always_inline]] inline bool is_signalling(Half a) {
  return (a.bits & 0x7c00U) == 0x7c00U && (a.bits & 0x1ffU) != 0 && (a.bits & 0x200U) == 0;
}
[[gnu::always_inline]] inline bool is_nan(Half a) { return (a.bits & 0x7fffU) > 0x7c00U; }
[[gnu::always_inline]] inline Half quieted(Half a) {
  return is_nan(a) ? Half{static_cast<std::uint16_t>(a.bits | 0x200U)} : a;
}

/// Orders halves as integers; -0 is below +0.
[[gnu::always_inline]] inline std::int16_t half_order(Half a) {
  const auto bits = static_cast<std::int16_t>(a.bits);
  return static_cast<std::int16_t>(bits ^ (bits >> 15 & 0x7fff));
}

template <class Round>
[[gnu::always_inline]] inline Half half_minimum(Half a, Half b) {
  const Half smaller = half_order(b) < half_order(a) ? b : a;
  const Half number = is_nan(a) ? quieted(b) : is_nan(b) ? quieted(a) : smaller;
  if (!Round::ieee()) return number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : number;
}
template <class Round>
[[gnu::always_inline]] inline Half half_maximum(Half a, Half b) {
  const Half larger = half_order(b) > half_order(a) ? b : a;
  const Half number = is_nan(a) ? quieted(b) : is_nan(b) ? quieted(a) : larger;
  if (!Round::ieee()) return number;
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : number;
}
template <class Round>
[[gnu::always_inline]] inline Half half_median(Half a, Half b, Half c) {
  const Half low = half_minimum<Round>(a, b), high = half_maximum<Round>(a, b);
  const Half middle = half_maximum<Round>(low, half_minimum<Round>(high, c));
  const bool nan = is_nan(a) || is_nan(b) || is_nan(c);
  return nan ? half_minimum<Round>(low, c) : middle;
}

/// v_mad_f16 and its kin read and write no denormals (LLVM forms them only where those are flushed).
[[gnu::always_inline]] inline Half without_denormal(Half a) {
  return (a.bits & 0x7c00U) == 0 ? Half{static_cast<std::uint16_t>(a.bits & 0x8000U)} : a;
}

}  // namespace rpl::emu
