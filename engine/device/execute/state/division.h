// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "engine/device/execute/state/float_math.h"

/// The last step of a division, V_DIV_FMAS.
namespace rpl::emu {

// IEEE's binary128, under the name that the host's compiler has for it.
#if __LDBL_MANT_DIG__ == 113
using Quad = long double;
#else
__extension__ using Quad = __float128;
#endif
__extension__ using QuadBits = unsigned __int128;

/// A format in which a product of two T is exact, and which has more than twice T's bits and two.
template <class T>
struct WideOf;
template <>
struct WideOf<float> {
  using Number = double;
  using Bits = std::uint64_t;
};
template <>
struct WideOf<double> {
  using Number = Quad;
  using Bits = QuadBits;
};

/// a * b + c rounded to odd in the wide format: a later rounding to T then gives what one rounding would have given
/// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). For finite numbers.
template <class T>
typename WideOf<T>::Number sum_rounded_to_odd(T a, T b, T c) {
  using Number = typename WideOf<T>::Number;
  using Bits = typename WideOf<T>::Bits;
  const Number product = static_cast<Number>(a) * static_cast<Number>(b), addend = c;
  const Number sum = product + addend;
  // The error of the sum, exact (Knuth's TwoSum).
  const Number addend_part = sum - product, product_part = sum - addend_part;
  const Number error = (product - product_part) + (addend - addend_part);
  Bits bits = 0;
  std::memcpy(&bits, &sum, sizeof(bits));
  if (error == 0 || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? Bits{1} : ~Bits{0};
  Number odd = 0;
  std::memcpy(&odd, &bits, sizeof(odd));
  return odd;
}

/// V_DIV_FMAS on a lane whose vcc bit is set: error * reciprocal + quotient, scaled back by the power of two by which V_DIV_SCALE had
/// scaled. The quotient so far tells in which direction. Sum and scaling are rounded once, so that quotients among the
/// denormals come out right; the published pseudocode, which rounds twice, would be wrong in their last bit.
template <class T>
T scaled_quotient(T error, T reciprocal, T quotient) {
  constexpr int kStep = sizeof(T) == 8 ? 128 : 64;
  const int step = biased_exponent(quotient) >= kExponentBias<T> ? kStep : -kStep;
  const T sum = result_of(std::fma(error, reciprocal, quotient), error, reciprocal, quotient);
  if (!std::isfinite(error) || !std::isfinite(reciprocal) || !std::isfinite(quotient))
    return scaled(sum, step);
  const auto exact = sum_rounded_to_odd(error, reciprocal, quotient);
  using Number = typename WideOf<T>::Number;
  return static_cast<T>(exact * static_cast<Number>(power_of_two(step)));
}

}  // namespace rpl::emu
