// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/inline_constant.h"

#include <bit>

#include "engine/base/half.h"

namespace rpl::emu {
namespace {

std::uint32_t float_constant(std::uint16_t number, Type type, std::uint32_t& high) {
  constexpr float kFloats[] = {0.5f, -0.5f, 1.0f, -1.0f, 2.0f, -2.0f, 4.0f, -4.0f, 0.15915494f};
  constexpr double kInverseTurn = 0.15915494309189532;
  const std::size_t index = number - isa::kFirstFloat;
  // Of a packed operand only the low half is a float; the high one is zero.
  if (type == Type::f16 || type == Type::f16x2) return to_half(kFloats[index]).bits;
  // bfloat16 is the upper half of binary32, cut off.
  if (type == Type::bf16 || type == Type::bf16x2)
    return std::bit_cast<std::uint32_t>(kFloats[index]) >> 16;
  if (type != Type::f64 && type != Type::u64) return std::bit_cast<std::uint32_t>(kFloats[index]);
  const double value =
      number == isa::kLastFloat ? kInverseTurn : static_cast<double>(kFloats[index]);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  high = static_cast<std::uint32_t>(bits >> 32);
  return static_cast<std::uint32_t>(bits);
}

}  // namespace

std::uint64_t constant_of(std::uint16_t number, std::uint32_t literal, Type type) {
  if (number >= isa::kZero && number <= isa::kLastPositive)
    return number - std::uint64_t{isa::kZero};
  if (number > isa::kLastPositive && number <= isa::kLastNegative) {
    return static_cast<std::uint64_t>(std::int64_t{isa::kLastPositive} - number);
  }
  if (number == isa::kLiteral) {
    // A literal is the high half of a double. Bits and unsigned numbers of 64 bits are zero-extended; LLVM gives signed ones no
    // negative literal (github.com/llvm/llvm-project/pull/70274).
    return type == Type::f64 ? std::uint64_t{literal} << 32 : std::uint64_t{literal};
  }
  std::uint32_t high = 0;
  const std::uint32_t low = float_constant(number, type, high);
  return low | std::uint64_t{high} << 32;
}

bool is_constant(std::uint16_t number) {
  return (number >= isa::kZero && number <= isa::kLastNegative) ||
         (number >= isa::kFirstFloat && number <= isa::kLastFloat) || number == isa::kLiteral;
}

}  // namespace rpl::emu
