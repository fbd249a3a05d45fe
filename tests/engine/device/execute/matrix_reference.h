// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/engine/device/execute/example_runs.h"

/// Matrix products by their definition, in registers as AMD's documents draw them, for each shape by itself.
namespace rpl::emu::matrix {

enum class Number : std::uint8_t { f64, f32, xf32, f16, bf16, fp8, bf8, i8 };

inline unsigned bytes_of(Number number) {
  constexpr unsigned kBytes[] = {8, 4, 4, 2, 2, 1, 1, 1};
  return kBytes[static_cast<std::size_t>(number)];
}

inline double small_value(unsigned bits, int exponent_bits, int mantissa_bits, int bias) {
  const int sign = bits >> (exponent_bits + mantissa_bits) & 1,
            exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1),
            mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
  const double value =
      exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                    : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return sign != 0 ? -value : value;
}

/// The value of an element by its bits; infinities and NaNs are not asked for.
inline double value_of(Number number, std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  double wide = 0;
  float single = 0;
  switch (number) {
    case Number::f64:
      std::memcpy(&wide, &bits, sizeof(wide));
      return wide;
    case Number::f32:
    case Number::xf32:
      std::memcpy(&single, &low, sizeof(single));
      return single;
    case Number::f16:
      return small_value(low & 0xffffU, 5, 10, 15);
    case Number::bf16:
      return small_value(low & 0xffffU, 8, 7, 127);
    case Number::fp8:
      return small_value(low & 0xffU, 4, 3, 8);
    case Number::bf8:
      return small_value(low & 0xffU, 5, 2, 16);
    case Number::i8:
      return static_cast<std::int8_t>(low);
  }
  return 0;
}

/// One instruction: D = A * B + C.
struct Case {
  std::string
      kernel;  ///< "f32_16x16x4_4b_f16", for modified ones with the digits of CBSZ, ABID and BLGP
  unsigned m = 0, n = 0, k = 0, blocks = 1;
  Number a = Number::f32, b = Number::f32;
  bool sparse = false;
  unsigned cbsz = 0, abid = 0, blgp = 0;

  [[nodiscard]] bool is_double() const { return a == Number::f64; }
  [[nodiscard]] bool is_integer() const { return a == Number::i8; }
  [[nodiscard]] unsigned a_items() const { return m * k * blocks / 64 / (sparse ? 2 : 1); }
  [[nodiscard]] unsigned b_items() const { return n * k * blocks / 64; }
  [[nodiscard]] unsigned results() const { return m * n * blocks / 64; }
};

struct Element {
  unsigned block = 0, row = 0, column = 0;
};

/// What result `r` of lane `l` holds. The pictures of D for 32x32 (rows in groups of four, the second half of a wave four rows
/// below the first), 16x16, and 4x4 with a block in each four lanes; f64 results lie row by row.
inline Element result_element(const Case& c, unsigned l, unsigned r) {
  if (c.is_double() && c.m == 16) return {0, 4 * r + l / 16, l % 16};
  if (c.is_double()) return {l / 4 % 4, l / 16, l % 4};
  if (c.m == 32) return {r / 16, r / 4 % 4 * 8 + l / 32 * 4 + r % 4, l % 32};
  if (c.m == 16) return {r / 4, l / 16 * 4 + r % 4, l % 16};
  return {l / 4, r, l % 4};
}

/// Of which block and row (or column of B) lane `l` holds elements, and from which k on.
struct Input {
  unsigned block = 0, index = 0, k = 0;
};
inline Input input_of(const Case& c, unsigned l, unsigned items) {
  if (c.is_double() && c.m == 4) return {l / 4 % 4, l % 4, l / 16};
  if (c.m == 32 && c.blocks == 2) return {l / 32, l % 32, 0};
  if (c.m == 16 && c.blocks == 4) return {l / 16, l % 16, 0};
  if (c.m == 4) return {l / 4, l % 4, 0};
  return {0, l % c.m, l / c.m * items};
}

using Values = std::vector<double>;

/// Dense A by block, row and k, as the modifiers make it. `stored` holds the elements lane by lane, `indices` a word a lane.
inline Values matrix_a(const Case& c, const Values& stored,
                       const std::vector<std::uint32_t>& indices) {
  Values result(std::size_t{c.blocks} * c.m * c.k);
  const unsigned items = c.a_items();
  for (unsigned l = 0; l < 64; ++l) {
    const Input at = input_of(c, l, items * (c.sparse ? 2 : 1));
    for (unsigned r = 0; r < items; ++r) {
      unsigned k = at.k + r;
      if (c.sparse) {
        const unsigned set = c.cbsz == 0 ? c.abid * 2 * items : 0;
        k = at.k + r / 2 * 4 + (indices[l] >> (set + 2 * r) & 3);
      }
      result[(at.block * c.m + at.index) * c.k + k] = stored[l * items + r];
    }
  }
  if (c.sparse || c.is_double() || c.cbsz == 0) return result;
  Values broadcast(result.size());
  const std::size_t size = std::size_t{c.m} * c.k, group = std::size_t{1} << c.cbsz;
  for (std::size_t b = 0; b < c.blocks; ++b) {
    const std::size_t source = b / group * group + c.abid;
    std::copy_n(result.begin() + static_cast<std::ptrdiff_t>(source * size), size,
                broadcast.begin() + static_cast<std::ptrdiff_t>(b * size));
  }
  return broadcast;
}

/// B by block, k and column.
inline Values matrix_b(const Case& c, const Values& stored) {
  Values result(std::size_t{c.blocks} * c.n * c.k);
  const unsigned items = c.b_items();
  for (unsigned l = 0; l < 64; ++l) {
    unsigned from = l;
    if (!c.is_double() && !c.sparse && c.blgp == 3) from = (l + 16) % 64;
    if (!c.is_double() && !c.sparse && (c.blgp == 1 || c.blgp == 2))
      from = l % 32 + (c.blgp == 2 ? 32 : 0);
    if (!c.is_double() && !c.sparse && c.blgp >= 4) from = l % 16 + (c.blgp - 4) * 16;
    const Input at = input_of(c, l, items);
    for (unsigned r = 0; r < items; ++r)
      result[(at.block * c.k + at.k + r) * c.n + at.index] = stored[from * items + r];
  }
  return result;
}

struct Expected {
  Values d;          ///< lane by lane
  Values magnitude;  ///< the sum of the absolute products and of C, for bounds
};

inline Expected product(const Case& c, const Values& a_stored, const Values& b_stored,
                        const Values& c_stored, const std::vector<std::uint32_t>& indices) {
  const Values a = matrix_a(c, a_stored, indices), b = matrix_b(c, b_stored);
  Expected expected;
  const bool f64 = c.is_double();
  const double sign = (f64 && (c.blgp & 1) != 0) != (f64 && (c.blgp & 2) != 0) ? -1 : 1,
               sign_c = f64 && (c.blgp & 4) != 0 ? -1 : 1;
  for (unsigned l = 0; l < 64; ++l) {
    for (unsigned r = 0; r < c.results(); ++r) {
      const Element e = result_element(c, l, r);
      double sum = sign_c * c_stored[l * c.results() + r], magnitude = std::fabs(sum);
      for (unsigned k = 0; k < c.k; ++k) {
        const double term =
            sign * a[(e.block * c.m + e.row) * c.k + k] * b[(e.block * c.k + k) * c.n + e.column];
        sum += term;
        magnitude += std::fabs(term);
      }
      expected.d.push_back(sum);
      expected.magnitude.push_back(magnitude);
    }
  }
  return expected;
}

inline Argument buffer_of(const std::vector<std::byte>& bytes) {
  BufferArgument buffer{.element = rpl::Element::u32, .count = bytes.size() / 4, .fill = {}};
  buffer.fill.kind = Fill::Kind::bytes;
  buffer.fill.bytes = bytes;
  return buffer;
}

/// Bytes of D, by one wave of a kernel of matrix.hip.
inline std::vector<std::byte> run_matrix(const std::shared_ptr<const isa::CodeObject>& object,
                                         const std::string& kernel, const std::vector<std::byte>& a,
                                         const std::vector<std::byte>& b,
                                         const std::vector<std::byte>& c,
                                         const std::vector<std::uint32_t>& indices = {}) {
  KernelRun run;
  run.object = object;
  run.kernel = kernel;
  run.grid = run.workgroup = {64, 1, 1};
  run.arguments = {buffer_of(a), buffer_of(b), buffer_of(c),
                   buffer_of(std::vector<std::byte>(c.size()))};
  if (!indices.empty()) {
    std::vector<std::byte> words(indices.size() * 4);
    std::memcpy(words.data(), indices.data(), words.size());
    run.arguments.push_back(buffer_of(words));
  }
  const auto outcome = run_kernel(run);
  EXPECT_TRUE(outcome.has_value()) << kernel << ": " << outcome.error().message;
  return outcome ? outcome->buffers[3] : std::vector<std::byte>();
}

/// Pairs of different indices, the smaller first, for each four neighbours of a lane.
inline std::vector<std::uint32_t> random_indices(std::mt19937_64& random) {
  constexpr std::uint32_t kPairs[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  std::vector<std::uint32_t> indices(64);
  for (auto& word : indices) {
    for (int nibble = 0; nibble < 8; ++nibble) word = word << 4 | kPairs[random() % 6];
  }
  return indices;
}

}  // namespace rpl::emu::matrix
