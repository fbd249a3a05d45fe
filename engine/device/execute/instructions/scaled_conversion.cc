// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/scaled_conversion.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "engine/base/half.h"
#include "engine/device/execute/instructions/modifiers.h"
#include "engine/device/execute/state/bfloat.h"
#include "engine/device/execute/state/float_mode.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

constexpr std::string_view kPrefix = "v_cvt_scalef32_";

std::optional<SmallFormat> small_named(std::string_view name) {
  if (name == "fp8") return kFp8;
  if (name == "bf8") return kBf8;
  if (name == "fp6") return kFp6;
  if (name == "bf6") return kBf6;
  return name == "fp4" ? std::optional(kFp4) : std::nullopt;
}

WideType wide_named(std::string_view name) {
  return name == "f16" ? WideType::f16 : name == "bf16" ? WideType::bf16 : WideType::f32;
}

bool take(std::string_view& text, std::string_view prefix) {
  const bool found = text.starts_with(prefix);
  if (found) text.remove_prefix(prefix.size());
  return found;
}

/// Numbers of a lane in neighbouring registers, one or two to a dword.
class WideNumbers {
 public:
  WideNumbers(const std::uint32_t* first, WideType type) : first_(first), type_(type) {}

  [[nodiscard]] double at(unsigned index, unsigned lane) const {
    if (type_ == WideType::f32) return std::bit_cast<float>(first_[index * kLanes + lane]);
    const auto bits =
        static_cast<std::uint16_t>(first_[index / 2 * kLanes + lane] >> 16 * (index % 2));
    return type_ == WideType::f16 ? to_float(Half{bits}) : bfloat_to_float(bits);
  }

 private:
  const std::uint32_t* first_;
  WideType type_;
};

/// Numbers of a few bits each, one behind the other.
std::uint32_t small_at(const std::uint32_t* first, unsigned lane, unsigned bit, int width) {
  const std::uint32_t low = first[bit / 32 * kLanes + lane];
  const unsigned from = bit % 32, taken = 32 - from;
  std::uint32_t value = low >> from;
  if (static_cast<int>(taken) < width) value |= first[(bit / 32 + 1) * kLanes + lane] << taken;
  return value & ((1U << width) - 1);
}

/// V_PRNG_B32, by which the seed of one number makes that of the next.
std::uint32_t next_seed(std::uint32_t seed) { return seed << 1 ^ ((seed >> 31) != 0 ? 197U : 0U); }

/// A result of a lane before it is written.
using Result = std::array<std::uint32_t, 32>;

struct Places {
  unsigned first = 0;        ///< bit in the destination
  std::uint32_t ones = ~0U;  ///< bits of the first register that are written
};

/// Which part of its register a result of less than a dword goes to.
Places places_of(const ScaledConversion& what, const isa::Instruction& in) {
  const unsigned bits = what.count * static_cast<unsigned>(what.narrows ? what.small.bits()
                                                           : what.wide == WideType::f32 ? 32
                                                                                        : 16);
  if (bits >= 32) return {};
  const unsigned part = bits == 16 ? in.op_sel >> 3 & 1U : in.op_sel >> 2 & 3U;
  return {part * bits, ((1U << bits) - 1) << part * bits};
}

double scaled(double value, int scale, bool narrows) {
  if (scale == kScaleNan) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(value, narrows ? kScaleBias - scale : scale - kScaleBias);
}

std::uint32_t wide_bits(WideType type, double value, bool saturate) {
  if (type == WideType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == WideType::bf16) return float_to_bfloat(static_cast<float>(value));
  const std::uint16_t bits = to_half(static_cast<float>(value)).bits;
  const bool overflowed = (bits & 0x7fffU) == 0x7c00U && !std::isinf(value);
  return saturate && overflowed ? bits - 1U : bits;
}

struct Sources {
  const std::uint32_t *a = nullptr, *b = nullptr, *scale = nullptr, *seed = nullptr;
};

double changed(double value, const isa::Operand& operand) {
  if (operand.absolute) value = std::fabs(value);
  return operand.negate ? -value : value;
}

void narrow(const ScaledConversion& what, const isa::Instruction& in, const Sources& from,
            unsigned lane, bool saturate, const Places& places, Result& to) {
  const int scale = static_cast<int>(from.scale[lane] >> 23 & 0xffU), bits = what.small.bits();
  std::uint32_t seed = from.seed != nullptr ? from.seed[lane] : 0;
  const bool two = from.b != nullptr;
  // A single number of 16 bits lies in the half that is chosen.
  const unsigned half = what.count == 1 && what.wide != WideType::f32 ? in.op_sel & 1U : 0U;
  unsigned at = places.first;
  for (unsigned i = 0; i < what.count; ++i) {
    const bool second = two && i % 2 == 1;
    const unsigned index = (two ? i / 2 : i) + half;
    const double value = changed(WideNumbers(second ? from.b : from.a, what.wide).at(index, lane),
                                 *in.operand(second ? 'B' : 'A'));
    const Dither dither{what.stochastic, std::ldexp(seed, -32)};
    const std::uint32_t code = to_small(what.small, scaled(value, scale, true), dither, saturate);
    to[at / 32] |= code << at % 32;
    if (static_cast<int>(at % 32) + bits > 32) to[at / 32 + 1] |= code >> (32 - at % 32);
    at += static_cast<unsigned>(bits);
    seed = next_seed(seed);
  }
}

void widen(const ScaledConversion& what, const isa::Instruction& in, const Sources& from,
           unsigned lane, bool saturate, const Places& places, Result& to) {
  const int scale = static_cast<int>(from.scale[lane] >> 23 & 0xffU), bits = what.small.bits();
  const unsigned all = what.count * static_cast<unsigned>(bits);
  const unsigned part = all == 16 ? in.op_sel & 1U : all == 8 ? in.op_sel & 3U : 0U;
  const unsigned width = what.wide == WideType::f32 ? 32 : 16;
  for (unsigned i = 0; i < what.count; ++i) {
    const double value = from_small(
        what.small, small_at(from.a, lane, part * all + i * static_cast<unsigned>(bits), bits));
    const std::uint32_t result = wide_bits(what.wide, scaled(value, scale, false), saturate);
    const unsigned at = places.first + i * width;
    to[at / 32] |= result << at % 32;
  }
}

bool convert(Machine& machine, Wave& wave, const Op& op) {
  const isa::Instruction& in = *op.instruction;
  const ScaledConversion& what = *find_scaled_conversion(*in.opcode);
  const Places places = places_of(what, in);
  const unsigned written = in.operand('D')->dwords;
  Room rooms[3];
  const std::uint32_t* sources[3] = {};
  for (std::size_t i = 0; i < op.source_count; ++i)
    sources[i] = lanes_of(machine, wave, op.sources[i], rooms[i].data());
  if (!registers_reach(machine, wave, op)) return false;
  Sources from{.a = sources[0]};
  const bool two = what.narrows && !what.stochastic && op.source_count == 3;
  if (two) from.b = sources[1];
  if (what.stochastic) from.seed = sources[1];
  from.scale = sources[op.source_count - 1U];
  const bool saturate = float_mode(wave.mode).half_overflow;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((wave.exec() >> lane & 1) == 0) continue;
    Result result{};
    (what.narrows ? narrow : widen)(what, in, from, lane, saturate, places, result);
    for (unsigned k = 0; k < written; ++k) {
      const std::uint32_t ones = k == 0 ? places.ones : ~0U;
      std::uint32_t& to = wave.vector(op.destination + k)[lane];
      to = (result[k] & ones) | (to & ~ones);
    }
  }
  return true;
}

std::optional<ScaledConversion> conversion_named(std::string_view name) {
  if (!take(name, kPrefix)) return std::nullopt;
  ScaledConversion out;
  out.stochastic = take(name, "sr_");
  out.interleaved = take(name, "2xpk16_");
  if (out.interleaved || take(name, "pk32_")) {
    out.count = 32;
  } else if (take(name, "pk_")) {
    out.count = 2;
  }
  const auto between = name.find('_');
  if (between == name.npos) return std::nullopt;
  const auto to = name.substr(0, between), from = name.substr(between + 1);
  const auto narrow_to = small_named(to), widen_from = small_named(from);
  if (!narrow_to && !widen_from) return std::nullopt;
  out.narrows = narrow_to.has_value();
  out.small = out.narrows ? *narrow_to : *widen_from;
  out.wide = wide_named(out.narrows ? from : to);
  return out;
}

}  // namespace

const ScaledConversion* find_scaled_conversion(const isa::Opcode& opcode) {
  static const auto table = [] {
    std::vector<std::optional<ScaledConversion>> all;
    for (const auto& row : isa::opcodes()) all.push_back(conversion_named(row.name()));
    return all;
  }();
  const auto rows = isa::opcodes();
  if (&opcode < rows.data() || &opcode >= rows.data() + rows.size()) return nullptr;
  const auto& found = table[static_cast<std::size_t>(&opcode - rows.data())];
  return found ? &*found : nullptr;
}

Handler lower_scaled_conversion(const isa::Instruction& in) {
  const ScaledConversion* what = find_scaled_conversion(*in.opcode);
  if (what == nullptr) return nullptr;
  const isa::Operand& first = *in.operand('A');
  // What a sign or a constant means to two halves is not documented.
  const bool halves = what->narrows && what->wide != WideType::f32;
  const bool plain = first.is_vector() && !first.negate && !first.absolute;
  return halves && !plain ? nullptr : convert;
}

}  // namespace rpl::emu
