// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "tests/engine/device/execute/matrix_reference.h"

/// What matrix units make of one row and one column, worked out with whole numbers of 768 bits: rules as MMA-Sim (arXiv 2511.10909)
/// found them on MI250X (pairs) and MI300X (groups), nothing in common with the emulator's arithmetic.
namespace rpl::emu::matrix {

/// A multiple of 2^-384 below 2^383, in two's complement, so that clearing low bits rounds down.
class Fixed {
 public:
  Fixed() = default;
  Fixed(std::int64_t significand, int exponent) {
    const auto at = static_cast<unsigned>(exponent + kPoint);
    const std::uint64_t magnitude =
        significand < 0 ? -static_cast<std::uint64_t>(significand) : significand;
    for (unsigned i = 0; i < 64; ++i)
      if ((magnitude >> i & 1) != 0) words_[(at + i) / 32] |= 1U << (at + i) % 32;
    if (significand < 0) negate();
  }

  [[nodiscard]] bool is_negative() const { return words_.back() >> 31 != 0; }
  [[nodiscard]] bool is_zero() const { return words_ == std::array<std::uint32_t, kWords>{}; }

  Fixed& operator+=(const Fixed& other) {
    std::uint64_t carry = 0;
    for (unsigned i = 0; i < kWords; ++i) {
      carry += std::uint64_t{words_[i]} + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return *this;
  }
  void negate() {
    for (auto& word : words_) word = ~word;
    Fixed one;
    one.words_[0] = 1;
    *this += one;
  }
  [[nodiscard]] Fixed magnitude() const {
    Fixed result = *this;
    if (is_negative()) result.negate();
    return result;
  }

  /// The largest multiple of 2^exponent that is not above.
  [[nodiscard]] Fixed down(int exponent) const {
    Fixed result = *this;
    for (int i = 0; i < exponent + kPoint; ++i) result.words_[i / 32] &= ~(1U << i % 32);
    return result;
  }
  [[nodiscard]] Fixed toward_zero(int exponent) const {
    Fixed result = magnitude().down(exponent);
    if (is_negative()) result.negate();
    return result;
  }

  [[nodiscard]] bool bit(int exponent) const {
    const int at = exponent + kPoint;
    return (words_[static_cast<unsigned>(at) / 32] >> at % 32 & 1) != 0;
  }
  /// Of the highest bit of the magnitude; not of zero.
  [[nodiscard]] int exponent() const {
    const Fixed positive = magnitude();
    int at = static_cast<int>(kWords) * 32 - 1;
    while (!positive.bit(at - kPoint)) --at;
    return at - kPoint;
  }
  /// To nearest even.
  [[nodiscard]] float to_float() const {
    if (is_zero()) return 0;
    Fixed rest = magnitude();
    const int unit = std::max(exponent() - 23, -149);
    const Fixed kept = rest.down(unit);
    std::uint32_t steps = 0;
    for (int i = 0; i < 25; ++i) steps |= kept.bit(unit + i) ? 1U << i : 0U;
    Fixed minus = kept;
    minus.negate();
    rest += minus;
    Fixed half(1, unit - 1);
    half.negate();
    half += rest;
    if (!half.is_negative() && (!half.is_zero() || steps % 2 == 1)) ++steps;
    const float value = std::ldexp(static_cast<float>(steps), unit);
    return is_negative() ? -value : value;
  }

 private:
  static constexpr unsigned kWords = 24;
  static constexpr int kPoint = 384;
  std::array<std::uint32_t, kWords> words_{};
};

/// An element by its fields: significand * 2^unit, and the exponent that stands in its code (of subnormal numbers the lowest).
struct Parts {
  std::int64_t significand = 0;
  int unit = 0, exponent = 0;
  bool is_infinite = false, is_nan = false;
  [[nodiscard]] Fixed fixed() const { return {significand, unit}; }
};

inline Parts parts_of(Number number, std::uint32_t bits) {
  struct Shape {
    int mantissa, exponent, bias;
  };
  constexpr Shape kShapes[] = {{0, 0, 0},   {23, 8, 127}, {10, 8, 127}, {10, 5, 15},
                               {7, 8, 127}, {3, 4, 8},    {2, 5, 16}};
  const Shape shape = kShapes[static_cast<std::size_t>(number)];
  const bool is_byte = number == Number::fp8 || number == Number::bf8;
  if (number == Number::xf32) bits >>= 13;
  const auto fraction = static_cast<int>(bits & ((1U << shape.mantissa) - 1));
  const auto field = static_cast<int>(bits >> shape.mantissa & ((1U << shape.exponent) - 1));
  const bool negative = (bits >> (shape.mantissa + shape.exponent) & 1) != 0;
  Parts parts;
  parts.exponent = std::max(field, 1) - shape.bias;
  parts.unit = parts.exponent - shape.mantissa;
  parts.significand = fraction + (field == 0 ? 0 : 1 << shape.mantissa);
  if (negative) parts.significand = -parts.significand;
  const bool is_special = !is_byte && field == (1 << shape.exponent) - 1;
  parts.is_nan = is_byte ? (bits & 0xff) == 0x80 : is_special && fraction != 0;
  parts.is_infinite = is_special && fraction == 0;
  return parts;
}

inline Parts product_of(const Parts& a, const Parts& b) {
  Parts product{a.significand * b.significand, a.unit + b.unit, a.exponent + b.exponent};
  const bool a_zero = a.significand == 0, b_zero = b.significand == 0;
  product.is_nan = a.is_nan || b.is_nan || (a.is_infinite && b_zero) || (b.is_infinite && a_zero);
  product.is_infinite = !product.is_nan && (a.is_infinite || b.is_infinite);
  if (product.is_nan || product.is_infinite || a_zero || b_zero) return product;
  product.is_infinite = product.fixed().exponent() >= 128;
  return product;
}

/// Products and C as IEEE 754 adds them, where one of them is not finite.
inline bool special_result(std::span<const Parts> terms, float& result) {
  bool nan = false, above = false, below = false;
  for (const Parts& term : terms) {
    nan = nan || term.is_nan;
    if (term.is_infinite) (term.significand < 0 ? below : above) = true;
  }
  result = nan || (above && below) ? std::numeric_limits<float>::quiet_NaN()
           : above                 ? std::numeric_limits<float>::infinity()
                                   : -std::numeric_limits<float>::infinity();
  return nan || above || below;
}

inline Fixed cut_products(std::span<const Parts> products, int& largest) {
  largest = std::numeric_limits<int>::min() / 2;
  for (const Parts& one : products)
    if (one.significand != 0) largest = std::max(largest, one.exponent);
  Fixed sum;
  for (const Parts& one : products)
    if (one.significand != 0) sum += one.fixed().toward_zero(largest - 24);
  return sum;
}

/// C and one group of products.
inline float add_group(std::span<const Parts> products, float c, bool is_byte) {
  const Parts c_parts = parts_of(Number::f32, std::bit_cast<std::uint32_t>(c));
  std::vector<Parts> terms(products.begin(), products.end());
  terms.push_back(c_parts);
  float special = 0;
  if (special_result(terms, special)) return special;
  int largest = 0;
  Fixed sum;
  if (is_byte) {
    std::vector<Parts> halves[2];
    for (std::size_t i = 0; i < products.size(); ++i) halves[i % 2].push_back(products[i]);
    int even = 0, odd = 0;
    const Fixed sums[] = {cut_products(halves[0], even), cut_products(halves[1], odd)};
    largest = std::max(even, odd);
    if (!sums[0].is_zero()) sum += sums[0].down(largest - 24);
    if (!sums[1].is_zero()) sum += sums[1].down(largest - 24);
  } else {
    sum = cut_products(products, largest);
  }
  const int all = std::max(largest, c_parts.exponent);
  sum = sum.down(all - 32);
  if (!is_byte || c_parts.exponent >= all - 25) sum += c_parts.fixed().down(all - 24);
  if (sum.is_zero()) return 0;
  return sum.down(std::max(sum.exponent(), -126) - 31).to_float();
}

inline float flushed(float value) {
  return std::fabs(value) < 0x1p-126F ? std::copysign(0.0F, value) : value;
}

/// The sum of two floats, rounded to nearest even, without subnormal numbers.
inline float add_flushed(float x, float y) {
  if (!std::isfinite(x) || !std::isfinite(y) || (x == 0 && y == 0)) return x + y;
  Fixed sum = parts_of(Number::f32, std::bit_cast<std::uint32_t>(x)).fixed();
  sum += parts_of(Number::f32, std::bit_cast<std::uint32_t>(y)).fixed();
  return flushed(sum.to_float());
}

inline float multiply_flushed(Number number, std::uint32_t a, std::uint32_t b) {
  const auto flush = [&](std::uint32_t bits) {
    const auto exponent = number == Number::f16 ? 0x7c00U : 0x7f80U;
    return parts_of(number, (bits & exponent) == 0 ? 0 : bits);
  };
  const Parts x = flush(a), y = flush(b), product = product_of(x, y);
  float result = 0;
  if (special_result(std::span(&product, 1), result)) return result;
  const bool negative = (x.significand < 0) != (y.significand < 0);
  result = product.significand == 0 ? 0 : std::fabs(product.fixed().to_float());
  return flushed(negative ? -result : result);
}

/// C and one row times one column. `pairs` is how many products form a group of gfx90a, or 0 for the groups of gfx942.
inline float row_times_column(const Case& c, std::span<const std::uint32_t> a,
                              std::span<const std::uint32_t> b, float sum, std::size_t pairs) {
  if (pairs != 0) {
    sum = std::fabs(sum) < 0x1p-126F ? 0 : sum;
    for (std::size_t k = 0; k < a.size(); k += pairs) {
      std::vector<float> terms;
      for (std::size_t i = k; i < k + pairs; ++i)
        terms.push_back(multiply_flushed(c.a, a[i], b[i]));
      while (terms.size() > 1) {
        std::vector<float> next;
        for (std::size_t i = 0; i < terms.size(); i += 2)
          next.push_back(add_flushed(terms[i], terms[i + 1]));
        terms = next;
      }
      sum = add_flushed(sum, terms[0]);
    }
    return sum;
  }
  const bool is_byte = bytes_of(c.a) == 1;
  const std::size_t size = std::min<std::size_t>(a.size(), is_byte              ? 16
                                                           : bytes_of(c.a) == 4 ? 4
                                                                                : 8);
  for (std::size_t k = 0; k < a.size(); k += size) {
    std::vector<Parts> products;
    for (std::size_t i = k; i < k + size; ++i)
      products.push_back(product_of(parts_of(c.a, a[i]), parts_of(c.b, b[i])));
    sum = add_group(products, sum, is_byte);
  }
  return sum;
}

}  // namespace rpl::emu::matrix
