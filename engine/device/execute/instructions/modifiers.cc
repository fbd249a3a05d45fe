// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/modifiers.h"

#include <bit>

#include "engine/base/half.h"
#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

using isa::Instruction;

constexpr std::uint32_t kSign = 0x80000000U, kHalfSign = 0x8000U;

// DPP: where lane `lane` reads from; kLanes for nowhere (ISA documents, "DPP_CTRL Enumeration").
unsigned dpp_source(unsigned control, unsigned lane) {
  const unsigned row = lane & ~15U, in_row = lane & 15U, amount = control & 15U;
  if (control < 0x100) return (lane & ~3U) | (control >> (2 * (lane & 3U)) & 3U);
  if (control > 0x100 && control < 0x110) return in_row + amount < 16 ? lane + amount : kLanes;
  if (control > 0x110 && control < 0x120) return in_row >= amount ? lane - amount : kLanes;
  if (control > 0x120 && control < 0x130) return row | ((in_row - amount) & 15U);
  if (control >= 0x150 && control < 0x160) return row | amount;
  switch (control) {
    case 0x130:
      return lane + 1;
    case 0x134:
      return (lane + 1) % kLanes;
    case 0x138:
      return lane == 0 ? kLanes : lane - 1;
    case 0x13c:
      return (lane + kLanes - 1) % kLanes;
    case 0x140:
      return row | (15U - in_row);
    case 0x141:
      return (lane & ~7U) | (7U - (lane & 7U));
    case 0x142:
      return row == 0 ? kLanes : row - 1;
    case 0x143:
      return lane < 32 ? kLanes : 31;
    default:
      return kLanes;
  }
}

void select_part(std::uint32_t* lanes, isa::Select select, bool sign_extend) {
  const auto index = static_cast<unsigned>(select);
  const bool word = index >= 4;
  const unsigned width = word ? 16 : 8, first = word ? (index - 4) * 16 : index * 8;
  const unsigned up = 32 - width - first, down = 32 - width;
  if (sign_extend) {
    for (unsigned i = 0; i < kLanes; ++i)
      lanes[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(lanes[i] << up) >> down);
  } else {
    primitives().cut(lanes, lanes, up, down);
  }
}

void change_sign(std::uint32_t* lanes, std::uint32_t sign, bool absolute, bool negate) {
  primitives().change_bits(lanes, lanes, absolute ? ~sign : ~0U, negate ? sign : 0);
}

// The modifiers of source `index` in a packed or mixed encoding.
struct Chosen {
  Chosen(const Instruction& in, std::size_t index)
      : low_from_high((in.op_sel >> index & 1) != 0),
        high_from_high((in.op_sel_hi >> index & 1) != 0),
        negate_low((in.neg_lo >> index & 1) != 0),
        negate_high((in.neg_hi >> index & 1) != 0) {}
  bool low_from_high, high_from_high, negate_low, negate_high;
};

void choose_halves(std::uint32_t* lanes, const Chosen& chosen, bool has_sign) {
  const unsigned low = chosen.low_from_high ? 16 : 0, high = chosen.high_from_high ? 16 : 0;
  const std::uint32_t signs =
      has_sign ? (chosen.negate_low ? kHalfSign : 0) | (chosen.negate_high ? kSign : 0) : 0;
  for (unsigned i = 0; i < kLanes; ++i)
    lanes[i] = ((lanes[i] >> low & 0xffffU) | lanes[i] >> high << 16) ^ signs;
}

void choose_floats(std::uint32_t* lanes, const Chosen& chosen) {
  const std::uint32_t low_sign = chosen.negate_low ? kSign : 0,
                      high_sign = chosen.negate_high ? kSign : 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    const std::uint32_t first = lanes[i], second = lanes[kLanes + i];
    lanes[i] = (chosen.low_from_high ? second : first) ^ low_sign;
    lanes[kLanes + i] = (chosen.high_from_high ? second : first) ^ high_sign;
  }
}

// v_fma_mix: op_sel_hi says that the source is a half, op_sel which; neg_hi means the absolute value.
void choose_mixed(std::uint32_t* lanes, const Chosen& chosen, bool flush) {
  if (chosen.high_from_high) {
    for (unsigned i = 0; i < kLanes; ++i)
      lanes[i] = lanes[i] >> (chosen.low_from_high ? 16 : 0) & 0xffffU;
    if (flush) flush_denormals(lanes, Type::f16);
    for (unsigned i = 0; i < kLanes; ++i)
      lanes[i] = std::bit_cast<std::uint32_t>(to_float(Half{static_cast<std::uint16_t>(lanes[i])}));
  } else if (flush) {
    flush_denormals(lanes, Type::f32);
  }
  change_sign(lanes, kSign, chosen.negate_high, chosen.negate_low);
}

bool reads_part(const Op& op, std::size_t index) {
  if (op.instruction->form != Instruction::Form::sdwa || index > 1) return false;
  const isa::Sdwa& sdwa = op.instruction->sdwa;
  return (index == 0 ? sdwa.source0 : sdwa.source1) != isa::Select::dword;
}

bool is_vop3p(const Op& op) { return op.instruction->opcode->encoding == isa::Encoding::vop3p; }

bool reads_high_half(const Op& op, std::size_t index) {
  const Type type = op.sources[index].type;
  return !is_vop3p(op) && (type == Type::f16 || type == Type::bf16 || type == Type::u16) &&
         (op.instruction->op_sel >> index & 1) != 0;
}

template <class T>
T modified(T value, unsigned multiplier, bool clamp, bool nan_is_zero) {
  constexpr T kFactors[] = {T(1), T(2), T(4), T(0.5)};
  if (multiplier != 0) value = value * kFactors[multiplier] + T(0);
  const bool kept_nan = value != value && !nan_is_zero;
  if (clamp && !kept_nan) value = value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
  return value;
}

struct Finish {
  unsigned multiplier;
  bool clamp, nan_is_zero;

  [[nodiscard]] std::uint32_t half(std::uint32_t bits) const {
    const Half value{static_cast<std::uint16_t>(bits)};
    return to_half(modified(to_float(value), multiplier, clamp, nan_is_zero)).bits;
  }
  [[nodiscard]] std::uint32_t single(std::uint32_t bits) const {
    return std::bit_cast<std::uint32_t>(
        modified(std::bit_cast<float>(bits), multiplier, clamp, nan_is_zero));
  }
};

void finish_lane(std::uint32_t* lanes, unsigned i, Type type, const Finish& finish) {
  switch (type) {
    case Type::f16:
      lanes[i] = finish.half(lanes[i]);
      break;
    case Type::f16x2:
      lanes[i] = finish.half(lanes[i]) | finish.half(lanes[i] >> 16) << 16;
      break;
    case Type::f32x2:
      lanes[kLanes + i] = finish.single(lanes[kLanes + i]);
      [[fallthrough]];
    case Type::f32:
      lanes[i] = finish.single(lanes[i]);
      break;
    default:
      detail::store(lanes, i,
                    modified(detail::load<double>(lanes, i), finish.multiplier, finish.clamp,
                             finish.nan_is_zero));
  }
}

// SDWA writes a part of the destination; the rest is zero, the sign, or what was there.
void place_part(std::uint32_t* lanes, const std::uint32_t* before, const isa::Sdwa& sdwa) {
  if (sdwa.destination == isa::Select::dword) return;
  const auto index = static_cast<unsigned>(sdwa.destination);
  const unsigned width = index >= 4 ? 16 : 8, first = index >= 4 ? (index - 4) * 16 : index * 8;
  const std::uint32_t ones = ((1U << width) - 1) << first;
  for (unsigned i = 0; i < kLanes; ++i) {
    const std::uint32_t part = lanes[i] << first & ones;
    std::uint32_t rest = sdwa.unused == isa::Unused::preserve ? before[i] & ~ones : 0;
    const bool negative = (lanes[i] >> (width - 1) & 1U) != 0;
    if (sdwa.unused == isa::Unused::sext && negative) rest = ~(ones | ((1U << first) - 1));
    lanes[i] = part | rest;
  }
}

void place_at(std::uint32_t* lanes, const std::uint32_t* before, unsigned first,
              std::uint32_t ones) {
  for (unsigned i = 0; i < kLanes; ++i) lanes[i] = (lanes[i] << first & ones) | (before[i] & ~ones);
}

}  // namespace

bool registers_reach(Machine& machine, const Wave& wave, const Op& op) {
  const auto reaches = [&](std::size_t number, char letter) {
    const isa::Operand* operand = op.instruction->operand(letter);
    return operand == nullptr || !operand->is_vector() ||
           number + operand->dwords <= wave.vgprs.size();
  };
  if (reaches(op.destination, 'D') && reaches(op.sources[0].number, 'A') &&
      reaches(op.sources[1].number, 'B') && reaches(op.sources[2].number, 'C'))
    return true;
  return machine.stop(wave, op, Errc::verification_failed,
                      "the register index leads beyond the registers of the wave");
}

bool is_dressed(const Op& op, std::size_t index) {
  const isa::Operand* operand = op.sources[index].operand;
  if (operand == nullptr) return false;
  if (op.entry != nullptr && op.entry->mixed) return true;
  if (is_packed(op.sources[index].type)) return is_vop3p(op);
  return operand->negate || operand->absolute || reads_part(op, index) ||
         reads_high_half(op, index);
}

void move_lanes(const isa::Dpp& dpp, std::uint64_t exec, const std::uint32_t* from,
                std::uint32_t* to, std::uint64_t& writes) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool masked =
        (dpp.row_mask >> (lane / 16) & 1) == 0 || (dpp.bank_mask >> (lane / 4 % 4) & 1) == 0;
    const unsigned source = dpp_source(dpp.control, lane);
    const bool valid = source < kLanes && (exec >> source & 1) != 0;
    to[lane] = valid ? from[source] : 0;
    if (masked || (!valid && !dpp.bound_control)) writes &= ~(std::uint64_t{1} << lane);
  }
}

void dress(std::uint32_t* lanes, const Op& op, std::size_t index, const FloatMode* mode) {
  const Source& source = op.sources[index];
  const Type type = source.type;
  const bool keeps = op.entry != nullptr && op.entry->keeps_denormals;
  const bool flush =
      mode != nullptr && is_float(type) && !keeps && !mode_of(*mode, type).reads_denormals;
  if (source.operand == nullptr) {
    if (flush) flush_denormals(lanes, type);
    return;
  }
  const Instruction& in = *op.instruction;
  if (op.entry != nullptr && op.entry->mixed) return choose_mixed(lanes, Chosen(in, index), flush);
  if (is_packed(type) && is_vop3p(op)) {
    if (type == Type::f32x2) {
      choose_floats(lanes, Chosen(in, index));
    } else {
      choose_halves(lanes, Chosen(in, index), type == Type::f16x2 || type == Type::bf16x2);
    }
  }
  if (reads_part(op, index))
    select_part(lanes, index == 0 ? in.sdwa.source0 : in.sdwa.source1, source.operand->sign_extend);
  if (reads_high_half(op, index)) {
    for (unsigned i = 0; i < kLanes; ++i) lanes[i] >>= 16;
  }
  if (flush) flush_denormals(lanes, type);
  if (!source.operand->absolute && !source.operand->negate) return;
  const bool is_short = type == Type::f16 || type == Type::bf16;
  change_sign(is_wide(type) ? lanes + kLanes : lanes, is_short ? kHalfSign : kSign,
              source.operand->absolute, source.operand->negate);
}

// Output modifiers are for modes that flush denormals and are not IEEE (ISA documents, "Output modifiers"); elsewhere they are
// ignored.
void modify_result(std::uint32_t* lanes, const Op& op, const FloatMode* mode) {
  if (!is_float(op.result)) return;
  const Instruction& in = *op.instruction;
  const bool writes_denormals = mode == nullptr || mode_of(*mode, op.result).writes_denormals;
  const bool multiplies = mode != nullptr && !mode->ieee && !writes_denormals;
  const Finish finish{multiplies ? in.output_modifier : 0U, in.clamp,
                      mode == nullptr || mode->dx10_clamp};
  if (finish.multiplier != 0 || finish.clamp) {
    for (unsigned i = 0; i < kLanes; ++i) finish_lane(lanes, i, op.result, finish);
  }
  const bool keeps = op.entry != nullptr && op.entry->keeps_denormals;
  if (!writes_denormals && !keeps) flush_denormals(lanes, op.result);
}

void place_result(std::uint32_t* lanes, const std::uint32_t* before, const Op& op) {
  using Rest = VectorEntry::Rest;
  const Instruction& in = *op.instruction;
  if (in.form == Instruction::Form::sdwa) return place_part(lanes, before, in.sdwa);
  const Rest rest = op.entry == nullptr ? Rest::cleared : op.entry->rest;
  if (rest == Rest::kept_around_byte) {
    const unsigned first = 8U * (in.op_sel >> 2 & 3U);
    return place_at(lanes, before, first, 0xffU << first);
  }
  const bool is_half = op.result == Type::f16 || op.result == Type::u16;
  const bool upper = rest == Rest::kept_below || (!is_vop3p(op) && (in.op_sel >> 3 & 1U) != 0);
  if (is_half && upper) return place_at(lanes, before, 16, 0xffff0000U);
  if (is_half && rest == Rest::kept) place_at(lanes, before, 0, 0xffffU);
}

}  // namespace rpl::emu
