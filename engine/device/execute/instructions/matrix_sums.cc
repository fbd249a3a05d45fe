// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/matrix_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/base/half.h"
#include "engine/device/execute/instructions/byte_float.h"
#include "engine/device/execute/instructions/small_float.h"
#include "engine/device/execute/state/bfloat.h"
#include "engine/device/execute/state/lanes.h"

namespace rpl::emu {
namespace {

constexpr int kFloatBias = 127, kDoubleBias = 1023, kDoubleMantissa = 52;
/// Of a product with zero: below every other, and not so low that a power of two with it leaves the range of double.
constexpr std::int32_t kZeroExponent = -400;
constexpr std::int32_t kFraction = 24;  ///< bits of a product below the largest exponent

struct Format {
  int mantissa = 0, exponent = 0;  ///< bits
  int bias = 0;
  int dropped = 0;           ///< low bits that do not take part
  bool last_is_nan = false;  ///< only the largest code is special
};

/// What elements are: of 16 or 19 bits, or bytes of one of two kinds.
enum class Kind : std::uint8_t { wide, fnuz, ocp };

constexpr Format ocp_format(const SmallFormat& format) {
  return {.mantissa = format.mantissa,
          .exponent = format.exponent,
          .bias = format.bias,
          .last_is_nan = !format.has_infinity};
}

constexpr Format format_of(MatrixType type, Kind kind) {
  if (kind == Kind::ocp) return ocp_format(type == MatrixType::fp8 ? kFp8 : kBf8);
  switch (type) {
    case MatrixType::f16:
      return {.mantissa = 10, .exponent = 5, .bias = 15};
    case MatrixType::bf16:
      return {.mantissa = 7, .exponent = 8, .bias = kFloatBias};
    case MatrixType::fp8:
      return {.mantissa = Fp8::kMantissa, .exponent = 7 - Fp8::kMantissa, .bias = Fp8::kBias};
    case MatrixType::bf8:
      return {.mantissa = Bf8::kMantissa, .exponent = 7 - Bf8::kMantissa, .bias = Bf8::kBias};
    default:
      return {.mantissa = 10, .exponent = 8, .bias = kFloatBias, .dropped = 13};
  }
}

double power_of_two(std::int32_t n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(kDoubleBias + n) << kDoubleMantissa);
}

/// The elements of a matrix as whole numbers times powers of two.
struct Elements {
  std::array<std::int32_t, kMaxInputs> significand, exponent;
  std::int32_t largest = 0;  ///< exponent
  bool all_finite = true;
};

[[gnu::always_inline]] inline std::int32_t field_of(const Format& format, std::uint32_t bits) {
  return static_cast<std::int32_t>(bits >> (format.mantissa + format.dropped)) &
         ((1 << format.exponent) - 1);
}

/// The mantissa with its first bit, which subnormal numbers do not have.
[[gnu::always_inline]] inline std::int32_t magnitude_of(const Format& format, std::uint32_t bits) {
  const std::int32_t implied = field_of(format, bits) != 0 ? 1 << format.mantissa : 0;
  return (static_cast<std::int32_t>(bits >> format.dropped) & ((1 << format.mantissa) - 1)) +
         implied;
}

/// -1 or 0.
[[gnu::always_inline]] inline std::int32_t sign_of(const Format& format, std::uint32_t bits) {
  const int at = format.mantissa + format.dropped + format.exponent;
  return -static_cast<std::int32_t>(bits >> at & 1U);
}

template <Kind kKind>
[[gnu::always_inline]] inline bool is_special(const Format& format, std::uint32_t bits) {
  if constexpr (kKind == Kind::fnuz) return (bits & 0xffU) == kByteNan;
  if constexpr (kKind == Kind::ocp)
    if (format.last_is_nan) return (bits & 0x7fU) == 0x7fU;
  return field_of(format, bits) == (1 << format.exponent) - 1;
}

// The significand is shifted so that a product of two has as many fraction bits as are added.
template <Kind kKind>
[[gnu::always_inline]] inline void read_elements(const Format format,
                                                 const std::uint32_t* __restrict bits,
                                                 unsigned count, int shift, Elements& to) {
  std::int32_t* __restrict significand = to.significand.data();
  std::int32_t* __restrict exponent = to.exponent.data();
  std::int32_t largest = kZeroExponent, special = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t one = bits[i];
    const std::int32_t magnitude = magnitude_of(format, one), sign = sign_of(format, one);
    const std::int32_t scale = std::max(field_of(format, one), 1) - format.bias;
    significand[i] = ((magnitude << shift) ^ sign) - sign;
    const std::int32_t kept = magnitude == 0 ? kZeroExponent : scale;
    exponent[i] = kept;
    largest = largest > kept ? largest : kept;
    special |= is_special<kKind>(format, one) ? 1 : 0;
  }
  to.largest = largest;
  to.all_finite = special == 0;
}

using Doubles = std::array<double, kMaxInputs>;

template <Kind kKind>
[[gnu::noinline]] void read_values(const Format& format, const std::uint32_t* bits, unsigned count,
                                   Doubles& to) {
  for (unsigned i = 0; i < count; ++i) {
    const int exponent = std::max(field_of(format, bits[i]), 1) - format.bias,
              magnitude = magnitude_of(format, bits[i]);
    double value = std::ldexp(magnitude, exponent - format.mantissa);
    const bool has_infinity = kKind != Kind::fnuz && !format.last_is_nan;
    if (is_special<kKind>(format, bits[i]))
      value = has_infinity && magnitude == 1 << format.mantissa
                  ? std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
    to[i] = sign_of(format, bits[i]) != 0 ? -value : value;
  }
}

/// A row of A and the rows of B that belong to its items; in double as well where a result may not be finite.
struct Row {
  const std::int32_t *a_significand, *a_exponent;
  const std::int32_t *b_significand, *b_exponent;
  const double *a_value, *b_value;
};

/// Sums of products in units of 2^(exponent - kFraction), by column.
template <unsigned kColumns>
struct Dots {
  std::array<std::int32_t, kColumns> total, exponent;
};

/// Neighbouring columns. Compilers do not find these vectors in loops over so few.
template <unsigned kCount>
using Ints [[gnu::vector_size(4 * kCount)]] = std::int32_t;

template <class Vector>
[[gnu::always_inline]] inline void load_columns(Vector& to, const std::int32_t* from) {
  __builtin_memcpy(&to, from, sizeof(Vector));
}

// kCount items, each kStep-th. The largest exponent has to be known before anything is added.
template <unsigned kColumns, unsigned kCount, unsigned kStep>
[[gnu::always_inline]] inline void find_dots(const Row& row, unsigned first, unsigned column,
                                             Dots<kColumns>& to) {
  using Vector = Ints<std::min(kColumns, 8U)>;
  constexpr std::int32_t kWidth = 31;
  Vector exponent[kCount], largest = Vector{} + 2 * kZeroExponent, total{};
#pragma GCC unroll 8
  for (unsigned i = 0; i < kCount; ++i) {
    const unsigned at = first + i * kStep;
    load_columns(exponent[i], row.b_exponent + at * kColumns + column);
    exponent[i] += row.a_exponent[at];
    largest = largest > exponent[i] ? largest : exponent[i];
  }
#pragma GCC unroll 8
  for (unsigned i = 0; i < kCount; ++i) {
    const unsigned at = first + i * kStep;
    Vector product, below = largest - exponent[i];
    load_columns(product, row.b_significand + at * kColumns + column);
    product *= row.a_significand[at];
    const Vector sign = product >> kWidth;
    below = below < kWidth ? below : Vector{} + kWidth;
    total += (((product ^ sign) - sign) >> below ^ sign) - sign;
  }
  __builtin_memcpy(&to.total[column], &total, sizeof(Vector));
  __builtin_memcpy(&to.exponent[column], &largest, sizeof(Vector));
}

template <unsigned kColumns>
[[gnu::always_inline]] inline void join(Dots<kColumns>& even, const Dots<kColumns>& odd) {
  for (unsigned j = 0; j < kColumns; ++j) {
    const std::int32_t largest = std::max(even.exponent[j], odd.exponent[j]);
    even.total[j] = (even.total[j] >> std::min(largest - even.exponent[j], 31)) +
                    (odd.total[j] >> std::min(largest - odd.exponent[j], 31));
    even.exponent[j] = largest;
  }
}

// All numbers here are multiples of powers of two that double has room for, so that only floor and the last conversion round.
template <bool kDropsSmallC>
[[gnu::always_inline]] inline float added_to(float c, std::int32_t total, std::int32_t exponent) {
  constexpr std::int32_t kMore = 8;  // bits that the sum of the products has below C's last
  const auto field = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(c) >> 23 & 0xffU);
  const std::int32_t c_exponent = std::max(field, 1) - kFloatBias,
                     largest = std::max(exponent, c_exponent);
  const double products =
      std::floor(static_cast<double>(total) * power_of_two(exponent - largest + kMore));
  double kept =
      std::floor(static_cast<double>(c) * power_of_two(kFraction - largest)) * power_of_two(kMore);
  if constexpr (kDropsSmallC) kept = c_exponent < largest - kFraction - 1 ? 0 : kept;
  const double sum = (products + kept) * power_of_two(largest - kFraction - kMore);
  // Cut off 31 bits below the exponent of the sum, which is at least -126.
  constexpr std::uint64_t kExponentBits = 0x7ffULL << kDoubleMantissa;
  const double unit =
      std::max(std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) & kExponentBits), 0x1p-126);
  const auto inverse = std::bit_cast<double>((2ULL * kDoubleBias << kDoubleMantissa) -
                                             std::bit_cast<std::uint64_t>(unit));
  const double cut = std::floor(sum * inverse * 0x1p31) * (unit * 0x1p-31);
  return field == 0xff ? c : static_cast<float>(cut);
}

// Of the products and C. It is not finite where the result is not, and then it is the result.
[[gnu::noinline]] double special_sum(const Row& row, unsigned first, unsigned count,
                                     unsigned columns, unsigned column, float c) {
  double sum = c;
  for (unsigned i = first; i < first + count; ++i) {
    const double product = row.a_value[i] * row.b_value[i * columns + column];
    sum += std::fabs(product) >= 0x1p128
               ? std::copysign(std::numeric_limits<double>::infinity(), product)
               : product;
  }
  return sum;
}

template <unsigned kColumns, unsigned kSize, bool kByte>
[[gnu::always_inline]] inline void add_group(const Row& row, unsigned first,
                                             float* __restrict sum) {
  constexpr unsigned kStrip = std::min(kColumns, 8U), kStep = kByte ? 2 : 1;
  Dots<kColumns> dots;
  for (unsigned column = 0; column < kColumns; column += kStrip)
    find_dots<kColumns, kSize / kStep, kStep>(row, first, column, dots);
  if constexpr (kByte) {
    Dots<kColumns> odd;
    for (unsigned column = 0; column < kColumns; column += kStrip)
      find_dots<kColumns, kSize / kStep, kStep>(row, first + 1, column, odd);
    join(dots, odd);
  }
  for (unsigned j = 0; j < kColumns; ++j)
    sum[j] = added_to<kByte>(sum[j], dots.total[j], dots.exponent[j]);
}

template <unsigned kColumns, unsigned kSize, bool kByte>
[[gnu::always_inline]] inline void add_special_group(const Row& row, unsigned first, float* sum) {
  std::array<double, kColumns> special;
  for (unsigned j = 0; j < kColumns; ++j)
    special[j] = special_sum(row, first, kSize, kColumns, j, sum[j]);
  add_group<kColumns, kSize, kByte>(row, first, sum);
  for (unsigned j = 0; j < kColumns; ++j)
    if (!std::isfinite(special[j])) sum[j] = static_cast<float>(special[j]);
}

/// A and B as they are added, and where a result may not be finite, in double.
struct Factors {
  Elements a, b;
  bool may_be_special = false;
  Doubles a_values, b_values;
};

/// The rows of B that the stored elements of one row of a sparse A want.
struct Gathered {
  std::array<std::int32_t, kMaxInputs> significand, exponent;
  Doubles value;
};

void gather(const Factors& from, const std::uint8_t* k, unsigned items, unsigned columns,
            unsigned b, Gathered& to) {
  for (unsigned i = 0; i < items; ++i) {
    const unsigned at = b + k[i] * columns;
    std::copy_n(&from.b.significand[at], columns, &to.significand[i * columns]);
    std::copy_n(&from.b.exponent[at], columns, &to.exponent[i * columns]);
    if (from.may_be_special) std::copy_n(&from.b_values[at], columns, &to.value[i * columns]);
  }
}

template <unsigned kColumns, unsigned kSize, bool kByte>
[[gnu::always_inline]] inline void add_rows(const MatrixShape& shape, const Factors& factors,
                                            NarrowOperands& operands) {
  const unsigned items = operands.a_items;
  Gathered gathered;
  for (unsigned row = 0; row < shape.m * shape.blocks; ++row) {
    const unsigned a = row * items, b = row / shape.m * shape.k * kColumns;
    Row from{&factors.a.significand[a], &factors.a.exponent[a], &factors.b.significand[b],
             &factors.b.exponent[b],    &factors.a_values[a],   &factors.b_values[b]};
    if (shape.sparse) {
      gather(factors, &operands.k[a], items, kColumns, b, gathered);
      from.b_significand = gathered.significand.data();
      from.b_exponent = gathered.exponent.data();
      from.b_value = gathered.value.data();
    }
    float* sum = &operands.sum[row * kColumns];
    for (unsigned first = 0; first < items; first += kSize) {
      if (factors.may_be_special)
        add_special_group<kColumns, kSize, kByte>(from, first, sum);
      else
        add_group<kColumns, kSize, kByte>(from, first, sum);
    }
  }
}

template <Kind kKind>
[[gnu::always_inline]] inline void read_factors(const MatrixShape& shape,
                                                const NarrowOperands& operands, Factors& to) {
  const Format a = format_of(shape.a, kKind), b = format_of(shape.b, kKind);
  const unsigned a_count = operands.a_items * shape.m * shape.blocks,
                 b_count = shape.k * shape.n * shape.blocks;
  const int shift = kFraction - a.mantissa - b.mantissa;
  read_elements<kKind>(a, operands.a.data(), a_count, shift, to.a);
  read_elements<kKind>(b, operands.b.data(), b_count, 0, to.b);
  constexpr std::int32_t kOverflow = 128;
  to.may_be_special =
      !to.a.all_finite || !to.b.all_finite || to.a.largest + to.b.largest + 1 >= kOverflow;
  if (!to.may_be_special) return;
  read_values<kKind>(a, operands.a.data(), a_count, to.a_values);
  read_values<kKind>(b, operands.b.data(), b_count, to.b_values);
}

constexpr unsigned kFew = 4, kHalves = 8, kBytes = 16;  ///< products of a group

template <Kind kKind>
[[gnu::always_inline]] inline void byte_groups(const MatrixShape& shape, NarrowOperands& operands) {
  Factors factors;
  read_factors<kKind>(shape, operands, factors);
  if (shape.n == 32) return add_rows<32, kBytes, true>(shape, factors, operands);
  add_rows<16, kBytes, true>(shape, factors, operands);
}

[[gnu::always_inline]] inline void groups_body(const MatrixShape& shape, NarrowOperands& operands) {
  Factors factors;
  read_factors<Kind::wide>(shape, operands, factors);
  if (shape.n == 4) return add_rows<4, kFew, false>(shape, factors, operands);
  const bool few = shape.a == MatrixType::xf32 || operands.a_items == kFew;
  if (few && shape.n == 32) return add_rows<32, kFew, false>(shape, factors, operands);
  if (few) return add_rows<16, kFew, false>(shape, factors, operands);
  if (shape.n == 32) return add_rows<32, kHalves, false>(shape, factors, operands);
  add_rows<16, kHalves, false>(shape, factors, operands);
}

float flushed_sum(float value) {
  constexpr float kSmallest = 0x1p-126F;
  return std::fabs(value) < kSmallest ? std::copysign(0.0F, value) : value;
}

// Subnormal numbers and zeros of either sign are +0.
float flushed_input(MatrixType type, std::uint32_t bits) {
  const auto half = static_cast<std::uint16_t>(bits);
  constexpr std::uint32_t kHalfExponent = 0x7c00, kBfloatExponent = 0x7f80;
  if (type == MatrixType::f16) return (bits & kHalfExponent) == 0 ? 0 : to_float({half});
  return (bits & kBfloatExponent) == 0 ? 0 : bfloat_to_float(half);
}

struct FlushedFactors {
  std::array<float, kMaxInputs> a, b;
};

template <unsigned kColumns, unsigned kTogether>
[[gnu::always_inline]] inline void add_pairs(const float* a, const float* b,
                                             float* __restrict sum) {
  for (unsigned j = 0; j < kColumns; ++j) {
    const auto product = [&](unsigned i) { return flushed_sum(a[i] * b[i * kColumns + j]); };
    float group = flushed_sum(product(0) + product(1));
    if constexpr (kTogether == 4) group = flushed_sum(group + flushed_sum(product(2) + product(3)));
    sum[j] = flushed_sum(sum[j] + group);
  }
}

template <unsigned kColumns>
[[gnu::always_inline]] inline void pair_rows(const MatrixShape& shape,
                                             const FlushedFactors& factors,
                                             NarrowOperands& operands) {
  const unsigned together = shape.a_items();
  for (unsigned row = 0; row < shape.m * shape.blocks; ++row) {
    const float *a = &factors.a[row * shape.k], *b = &factors.b[row / shape.m * shape.k * kColumns];
    float* sum = &operands.sum[row * kColumns];
    for (unsigned k = 0; k < shape.k; k += together) {
      if (together == 4)
        add_pairs<kColumns, 4>(a + k, b + k * kColumns, sum);
      else
        add_pairs<kColumns, 2>(a + k, b + k * kColumns, sum);
    }
  }
}

[[gnu::always_inline]] inline void pairs_body(const MatrixShape& shape, NarrowOperands& operands) {
  FlushedFactors factors;
  const unsigned a_count = shape.k * shape.m * shape.blocks,
                 b_count = shape.k * shape.n * shape.blocks,
                 results = shape.m * shape.n * shape.blocks;
  for (unsigned i = 0; i < a_count; ++i) factors.a[i] = flushed_input(shape.a, operands.a[i]);
  for (unsigned i = 0; i < b_count; ++i) factors.b[i] = flushed_input(shape.b, operands.b[i]);
  for (unsigned i = 0; i < results; ++i) operands.sum[i] = flushed_sum(operands.sum[i]) + 0.0F;
  if (shape.n == 32) return pair_rows<32>(shape, factors, operands);
  if (shape.n == 16) return pair_rows<16>(shape, factors, operands);
  pair_rows<4>(shape, factors, operands);
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void groups_v3(const MatrixShape& shape,
                                                               NarrowOperands& operands) {
  groups_body(shape, operands);
}
template <Kind kKind>
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void bytes_v3(const MatrixShape& shape,
                                                              NarrowOperands& operands) {
  byte_groups<kKind>(shape, operands);
}
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void pairs_v3(const MatrixShape& shape,
                                                              NarrowOperands& operands) {
  pairs_body(shape, operands);
}
#endif

}  // namespace

void add_in_pairs(const MatrixShape& shape, NarrowOperands& operands) {
#if defined(__x86_64__)
  if (processor_level() >= 3) return pairs_v3(shape, operands);
#endif
  pairs_body(shape, operands);
}

void add_in_groups(const MatrixShape& shape, NarrowOperands& operands) {
  const bool is_byte = shape.a == MatrixType::fp8 || shape.a == MatrixType::bf8;
#if defined(__x86_64__)
  if (processor_level() >= 3)
    return is_byte ? bytes_v3<Kind::fnuz>(shape, operands) : groups_v3(shape, operands);
#endif
  is_byte ? byte_groups<Kind::fnuz>(shape, operands) : groups_body(shape, operands);
}

void add_ocp_in_groups(const MatrixShape& shape, NarrowOperands& operands) {
#if defined(__x86_64__)
  if (processor_level() >= 3) return bytes_v3<Kind::ocp>(shape, operands);
#endif
  byte_groups<Kind::ocp>(shape, operands);
}

}  // namespace rpl::emu
