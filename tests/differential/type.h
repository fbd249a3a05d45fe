// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace rpl::differential {

/// A type of LLVM IR: an integer or IEEE float, or a vector of them.
struct Type {
  bool is_float = false;
  std::uint8_t bits = 32;  ///< of an element: 1 (conditions), 8, 16, 32, 64
  std::uint8_t lanes = 1;

  bool operator==(const Type&) const = default;

  [[nodiscard]] Type element() const { return {is_float, bits, 1}; }
  [[nodiscard]] Type with_lanes(unsigned count) const {
    return {is_float, bits, static_cast<std::uint8_t>(count)};
  }
  [[nodiscard]] Type as_integer() const { return {false, bits, lanes}; }
  [[nodiscard]] Type condition() const { return {false, 1, lanes}; }
  [[nodiscard]] unsigned bytes() const { return bits / 8U * lanes; }

  /// As IR writes it: "i32", "<2 x half>".
  [[nodiscard]] std::string name() const;
  /// As the names of overloaded intrinsics end: "i32", "v2f16".
  [[nodiscard]] std::string suffix() const;
};

inline constexpr Type kI1{false, 1, 1}, kI8{false, 8, 1}, kI16{false, 16, 1}, kI32{false, 32, 1},
    kI64{false, 64, 1}, kF16{true, 16, 1}, kF32{true, 32, 1}, kF64{true, 64, 1};

/// The bits of a float's quiet NaN, and of its exponent's lowest bit.
std::uint64_t quiet_nan(unsigned bits);
std::uint64_t low_exponent_bit(unsigned bits);
bool is_nan(std::uint64_t value, unsigned bits);

/// `bits` low bits set.
constexpr std::uint64_t mask_of(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

/// A constant as IR writes it: integers in decimal, floats by their bits, vectors with every element alike.
std::string literal(Type type, std::uint64_t bits);

}  // namespace rpl::differential
