// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Floating-point semantics of gfx9 where they differ from C++ or from x86. Round to nearest even, denormals kept.
namespace rpl::emu {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline constexpr int kMantissaBits = sizeof(T) == 8 ? 52 : 23;
template <class T>
inline constexpr int kExponentBias = sizeof(T) == 8 ? 1023 : 127;

/// A NaN made quiet; anything else unchanged.
template <class T>
[[gnu::always_inline]] inline T quieted(T value) {
  constexpr auto quiet = BitsOf<T>{1} << (kMantissaBits<T> - 1);
  return value != value ? std::bit_cast<T>(std::bit_cast<BitsOf<T>>(value) | quiet) : value;
}

template <class T>
inline constexpr T kNan = std::numeric_limits<T>::quiet_NaN();

/// x86 makes negative NaNs and may take another source's payload: a NaN result is the first NaN source, quiet, or +NaN.
template <class T>
[[gnu::always_inline]] inline T result_of(T result, T a, T b) {
  const T nan = a != a ? quieted(a) : b != b ? quieted(b) : kNan<T>;
  return result != result ? nan : result;
}
template <class T>
[[gnu::always_inline]] inline T result_of(T result, T a, T b, T c) {
  const T nan = a != a ? quieted(a) : b != b ? quieted(b) : c != c ? quieted(c) : kNan<T>;
  return result != result ? nan : result;
}

template <class T>
[[gnu::always_inline]] inline bool is_signalling(T value) {
  constexpr auto quiet = BitsOf<T>{1} << (kMantissaBits<T> - 1);
  return value != value && (std::bit_cast<BitsOf<T>>(value) & quiet) == 0;
}

/// Numbers win over quiet NaNs, and -0 is below +0. With MODE.IEEE a signalling NaN wins, made quiet.
template <bool kIeee = true, class T>
[[gnu::always_inline]] inline T minimum(T a, T b) {
  const T zeros = std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) | std::bit_cast<BitsOf<T>>(b));
  const T smaller = a == b ? zeros : (a < b ? a : b);
  const T instead_of_a = quieted(kIeee && is_signalling(a) ? a : b),
          instead_of_b = quieted(kIeee && is_signalling(b) ? b : a);
  return a != a ? instead_of_a : b != b ? instead_of_b : smaller;
}
template <bool kIeee = true, class T>
[[gnu::always_inline]] inline T maximum(T a, T b) {
  const T zeros = std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) & std::bit_cast<BitsOf<T>>(b));
  const T larger = a == b ? zeros : (a > b ? a : b);
  const T instead_of_a = quieted(kIeee && is_signalling(a) ? a : b),
          instead_of_b = quieted(kIeee && is_signalling(b) ? b : a);
  return a != a ? instead_of_a : b != b ? instead_of_b : larger;
}
template <bool kIeee = true, class T>
[[gnu::always_inline]] inline T median(T a, T b, T c) {
  const bool nan = a != a || b != b || c != c;
  const T low = minimum<kIeee>(a, b), high = maximum<kIeee>(a, b);
  const T middle = maximum<kIeee>(low, minimum<kIeee>(high, c));
  return nan ? minimum<kIeee>(low, c) : middle;
}

template <class T>
[[gnu::always_inline]] inline T fraction(T a) {
  constexpr T below_one = sizeof(T) == 8 ? T(0x1.fffffffffffffp-1) : T(0x1.fffffep-1f);
  const T part = result_of(a - std::floor(a), a, a);
  return part < below_one || part != part ? part : below_one;
}

/// Saturates; NaN becomes zero.
template <class T>
[[gnu::always_inline]] inline std::uint32_t to_unsigned(T a) {
  constexpr T end = T(4294967296.0);
  const T inside = a > T(0) && a < end ? a : T(0);
  return a >= end ? ~0U : static_cast<std::uint32_t>(inside);
}
template <class T>
[[gnu::always_inline]] inline std::int32_t to_signed(T a) {
  constexpr T end = T(2147483648.0);
  const T inside = a >= -end && a < end ? a : T(0);
  const std::int32_t high =
      a >= end ? std::numeric_limits<std::int32_t>::max() : static_cast<std::int32_t>(inside);
  return a < -end ? std::numeric_limits<std::int32_t>::min() : high;
}

template <class T>
[[gnu::always_inline]] inline T reciprocal(T a) {
  return result_of(T(1) / a, a, a);
}

/// Denormals as zeros of their sign. The transcendental functions and the unfused multiply-adds of f32 neither read nor write
/// denormals, whatever MODE says (ISA documents, V_RCP_F32 and others).
[[gnu::always_inline]] inline float without_denormal(float a) {
  const auto bits = std::bit_cast<std::uint32_t>(a);
  return std::bit_cast<float>((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits);
}

/// 2^exponent for exponents in the normal range of double.
[[gnu::always_inline]] inline double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias<double>)
                               << kMantissaBits<double>);
}

/// ldexp, rounded once: any float times 2^±300 is exact in double.
[[gnu::always_inline]] inline float scaled(float a, std::int32_t exponent) {
  constexpr std::int32_t kLimit = 300;
  const std::int32_t clamped = exponent > kLimit ? kLimit : exponent < -kLimit ? -kLimit : exponent;
  return quieted(static_cast<float>(static_cast<double>(a) * power_of_two(clamped)));
}
[[gnu::always_inline]] inline double scaled(double a, std::int32_t exponent) {
  return quieted(std::ldexp(a, exponent));
}

/// 2^a by a Taylor series in double, good to the last bit of a float.
[[gnu::always_inline]] inline float exponential(float a) {
  constexpr double kLn2 = 0.69314718055994530942;
  constexpr float kHighest = 129.0f, kLowest = -200.0f;
  const float clamped = a > kHighest ? kHighest : a < kLowest ? kLowest : a;
  const float whole = __builtin_rintf(a == a ? clamped : 0.0f);
  const double x = (static_cast<double>(clamped) - static_cast<double>(whole)) * kLn2;
  // Quotients known beforehand: dividing would take most of the time.
  constexpr double kTerms[] = {1.0,       1.0,       1.0 / 2,    1.0 / 6,     1.0 / 24,
                               1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880};
  double sum = 1.0 / 3628800;
  for (int n = 9; n >= 0; --n) sum = kTerms[n] + x * sum;
  const auto result = static_cast<float>(sum * power_of_two(static_cast<std::int32_t>(whole)));
  return a != a ? quieted(a) : result;
}

inline float logarithm(float a) { return result_of(std::log2(a), a, a); }
inline constexpr double kFullCircle = 6.28318530717958647693;
/// The sine of `a` turns; quarters are exact.
inline double sine_of_turns(double a) {
  const double part = a - std::floor(a), quarters = part * 4;
  constexpr double kQuarters[] = {0.0, 1.0, 0.0, -1.0};
  if (quarters == std::floor(quarters) && quarters < 4)
    return kQuarters[static_cast<int>(quarters)];
  return std::sin(part * kFullCircle);
}
inline float turn_sine(float a) { return result_of(static_cast<float>(sine_of_turns(a)), a, a); }
inline float turn_cosine(float a) {
  return result_of(static_cast<float>(sine_of_turns(static_cast<double>(a) + 0.25)), a, a);
}

template <class T>
[[gnu::always_inline]] inline int biased_exponent(T a) {
  return static_cast<int>(std::bit_cast<BitsOf<T>>(a) << 1 >> (kMantissaBits<T> + 1));
}
template <class T>
[[gnu::always_inline]] inline bool is_finite_nonzero(T a) {
  return a != T(0) && biased_exponent(a) != 2 * kExponentBias<T> + 1;
}

/// The mantissa in [0.5, 1) with the sign; zero, infinity and NaN unchanged.
template <class T>
inline T mantissa(T a) {
  int ignored = 0;
  return is_finite_nonzero(a) ? std::frexp(a, &ignored) : quieted(a);
}
template <class T>
inline std::int32_t exponent(T a) {
  int result = 0;
  if (is_finite_nonzero(a)) (void)std::frexp(a, &result);
  return result;
}

template <class T>
inline bool is_denormal(T a) {
  return a != T(0) && biased_exponent(a) == 0;
}

template <class T>
struct Scaled {
  T value;
  bool flag;  ///< the quotient must be scaled back by v_div_fmas
};

/// V_DIV_SCALE: prepares `a`, which is either the denominator or the numerator, so that the Newton steps of a division stay
/// in range.
template <class T>
inline Scaled<T> division_scale(T a, T denominator, T numerator) {
  constexpr int kStep = sizeof(T) == 8 ? 128 : 64, kFar = sizeof(T) == 8 ? 768 : 96;
  constexpr int kSmall = kMantissaBits<T> + (sizeof(T) == 8 ? 1 : 0);
  const bool is_denominator = std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(denominator);
  const bool is_numerator = std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(numerator);
  if (denominator == T(0) || numerator == T(0)) return {kNan<T>, false};
  const int distance = biased_exponent(numerator) - biased_exponent(denominator);
  if (distance >= kFar) return {is_denominator ? scaled(a, kStep) : a, true};
  if (is_denormal(denominator)) return {scaled(a, kStep), false};
  // A quotient that the division here rounds to zero, or up to the least normal number, is among the denormals all the same.
  const bool tiny_reciprocal = is_denormal(T(1) / denominator),
             tiny_quotient = std::abs(numerator / denominator) <= std::numeric_limits<T>::min() &&
                             !std::isinf(denominator);
  if (tiny_reciprocal && tiny_quotient) return {is_denominator ? scaled(a, -kStep) : a, true};
  if (tiny_reciprocal) return {scaled(a, -kStep), false};
  if (tiny_quotient) return {is_numerator ? scaled(a, kStep) : a, true};
  if (biased_exponent(numerator) <= kSmall) return {scaled(a, kStep), false};
  return {a, false};
}

/// V_DIV_FIXUP: the special cases of a division whose Newton steps gave `quotient`.
template <class T>
inline T division_fixup(T quotient, T denominator, T numerator) {
  const T sign = std::signbit(denominator) != std::signbit(numerator) ? T(-1) : T(1);
  if (numerator != numerator) return quieted(numerator);
  if (denominator != denominator) return quieted(denominator);
  const bool infinite_numerator = std::isinf(numerator),
             infinite_denominator = std::isinf(denominator);
  if ((numerator == T(0) && denominator == T(0)) || (infinite_numerator && infinite_denominator))
    return -kNan<T>;
  if (denominator == T(0) || infinite_numerator) return sign * std::numeric_limits<T>::infinity();
  if (infinite_denominator || numerator == T(0)) return sign * T(0);
  constexpr int kVanishes = sizeof(T) == 8 ? -1075 : -150;
  if (biased_exponent(numerator) - biased_exponent(denominator) < kVanishes) return sign * T(0);
  // The published pseudocode does not say what becomes of steps that overflowed to a NaN.
  if (quotient != quotient) return sign * std::numeric_limits<T>::infinity();
  return std::copysign(quotient, sign);
}

}  // namespace rpl::emu
