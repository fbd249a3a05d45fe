// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "engine/device/execute/instructions/matrix_shape.h"

/// How the matrix units add products of elements narrower than f32, and of xf32, bit for bit as MMA-Sim (arXiv 2511.10909) found it on
/// MI250X and MI300X.
namespace rpl::emu {

inline constexpr unsigned kMaxInputs = 2048;  ///< elements of A or B over all blocks
inline constexpr unsigned kMaxOutputs = 2048;

/// The matrices of one instruction: elements of A and B are `T`, those of C and D `Sum`.
template <class T, class Sum = T>
struct Operands {
  std::array<T, kMaxInputs> a;             ///< by block, row and item
  std::array<std::uint8_t, kMaxInputs> k;  ///< of A's elements, only for sparse ones
  std::array<T, kMaxInputs> b;             ///< by block, k and column
  std::array<Sum, kMaxOutputs> sum;        ///< by block, row and column
  unsigned a_items = 0;                    ///< of a row
};

/// A and B by their bits, C and D in f32.
using NarrowOperands = Operands<std::uint32_t, float>;

/// f16 and bf16 where `adds_narrow_products_in_pairs`. As many products as one lane has elements of A are a group: neighbours are added, in
/// a group of four then the two sums, then C and the group's sum. Each product and each sum is rounded to nearest even. Elements of A, B
/// and C that are subnormal are +0, products and sums that are become zeros of their sign.
void add_in_pairs(const MatrixShape& shape, NarrowOperands& operands);

/// f16, bf16, xf32, fp8 and bf8 elsewhere. Groups of 8 products (4 of xf32, 16 of fp8 and bf8, all k where there are fewer) are added to
/// C one after the other, each sum in f32. Let p be the largest exponent of a group's products, which is the sum of those of the factors (of
/// subnormal ones the lowest), also where the product of the mantissas is 2 or more; q the larger of p and C's exponent (-126 of zero):
///   - products are cut off, toward zero, at 2^(p-24), and added exactly;
///   - of fp8 and bf8 those of even and of odd k are so added for themselves, and both sums cut off, downward, at 2^(p-24) of both;
///   - that sum is cut off, downward, at 2^(q-32), C at 2^(q-24); C below 2^(q-25) is nothing to fp8 and bf8;
///   - the total is cut off, downward, 31 bits below its own exponent (at least -126), then rounded to nearest even.
/// Subnormal numbers are kept. A product of 2^128 or more is infinite.
void add_in_groups(const MatrixShape& shape, NarrowOperands& operands);
/// The same of the 8-bit floats of the Open Compute Project.
void add_ocp_in_groups(const MatrixShape& shape, NarrowOperands& operands);

}  // namespace rpl::emu
