// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/bounded.h"

#include <bit>
#include <cmath>
#include <limits>

#include "engine/device/execute/state/inline_constant.h"

namespace rpl::emu {
namespace {

struct Named {
  std::string_view name;
  Bound::Kind kind;
  Type type;
  bool is_signed;
};
constexpr Named kNamed[] = {
    {"min_i32", Bound::Kind::least, Type::u32, true},
    {"max_i32", Bound::Kind::greatest, Type::u32, true},
    {"min_u32", Bound::Kind::least, Type::u32, false},
    {"max_u32", Bound::Kind::greatest, Type::u32, false},
    {"min_f32", Bound::Kind::least, Type::f32, true},
    {"max_f32", Bound::Kind::greatest, Type::f32, true},
    {"and_b32", Bound::Kind::low_bits, Type::u32, false},
};

bool is_usual(const Bound& bound) {
  constexpr std::uint32_t kSmall = 64, kByte = 0xff, kShort = 0xffff;
  const std::uint32_t c = bound.constant;
  if (bound.kind == Bound::Kind::low_bits)
    return c <= kByte || c == kShort || (c & (c + 1)) != 0 || c == ~0U;
  // What a maximum or minimum begins with, which unrolling folds into its first step: 0, the largest and infinity of either sign, the ends of integers.
  if (bound.type == Type::f32) {
    const float begun = std::abs(std::bit_cast<float>(c));
    return begun == 0 || begun >= std::numeric_limits<float>::max();
  }
  const bool is_end = c == ~0U || (bound.is_signed && (c == 0x7fffffff || c == 0x80000000));
  return is_end || c <= kSmall || (bound.is_signed && c >= 0U - kSmall);
}

/// Sets the constant and the register; false where both are of one kind.
bool take_sources(const Op& op, Bound& out) {
  const isa::Instruction& in = *op.instruction;
  const bool scalar = in.opcode->mnemonic.starts_with("s_");
  for (unsigned i = 0; i < 2; ++i) {
    if (!scalar) {
      const Source &constant = op.sources[i], &number = op.sources[1 - i];
      const bool is_register =
          number.kind == Source::Kind::vector || number.kind == Source::Kind::scalar;
      if (constant.kind != Source::Kind::constant || !is_register) continue;
      out.constant = static_cast<std::uint32_t>(constant.value);
      out.number = number;
      return true;
    }
    const auto constant = in.operands[i + 1].number, number = in.operands[2 - i].number;
    if (!is_constant(constant) || number >= std::tuple_size_v<decltype(Wave::sgprs)>) continue;
    out.constant = static_cast<std::uint32_t>(constant_of(constant, in.literal, out.type));
    out.number = {.kind = Source::Kind::scalar, .number = number};
    return true;
  }
  return false;
}

std::uint8_t side_of(const Bound& bound, std::uint32_t value) {
  const auto side = [&](bool less, bool more) -> std::uint8_t {
    if (bound.kind == Bound::Kind::greatest) std::swap(less, more);
    return less ? 1 : more ? 2 : 0;
  };
  if (bound.kind == Bound::Kind::low_bits) return (value & ~bound.constant) == 0 ? 1 : 2;
  if (bound.type == Type::f32) {
    const auto a = std::bit_cast<float>(value), b = std::bit_cast<float>(bound.constant);
    return side(a<b, a> b);
  }
  if (bound.is_signed) {
    const auto a = std::bit_cast<std::int32_t>(value),
               b = std::bit_cast<std::int32_t>(bound.constant);
    return side(a<b, a> b);
  }
  return side(value<bound.constant, value> bound.constant);
}

}  // namespace

std::optional<Bound> bound_of(const Op& op) {
  if (op.instruction == nullptr || op.dressed) return std::nullopt;
  const auto name = op.instruction->opcode->mnemonic;
  if (!name.starts_with("v_") && !name.starts_with("s_")) return std::nullopt;
  for (const Named& named : kNamed) {
    if (!name.substr(2).starts_with(named.name)) continue;
    Bound out{.kind = named.kind, .type = named.type, .is_signed = named.is_signed, .number = {}};
    if (!take_sources(op, out) || is_usual(out)) return std::nullopt;
    return out;
  }
  return std::nullopt;
}

std::uint8_t shown_by(const Bound& bound, const Wave& wave) {
  if (bound.number.kind == Source::Kind::scalar)
    return side_of(bound, wave.sgprs[bound.number.number]);
  std::uint8_t out = 0;
  const std::uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((exec >> lane & 1) != 0) out |= side_of(bound, wave.vgprs[bound.number.number].lane[lane]);
  }
  return out;
}

}  // namespace rpl::emu
