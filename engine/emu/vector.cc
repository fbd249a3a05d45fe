// SPDX-License-Identifier: MIT
#include <cmath>

#include "engine/emu/half.h"
#include "engine/emu/handlers.h"
#include "engine/emu/primitives.h"

namespace rpl::emu {
namespace {

using isa::Instruction;

struct alignas(64) Room {
  std::array<std::uint32_t, 2 * kLanes> lane;
  [[nodiscard]] std::uint32_t* data() { return lane.data(); }
};

bool is_wide(Type type) { return type == Type::u64 || type == Type::f64; }
bool is_float(Type type) { return type == Type::f16 || type == Type::f32 || type == Type::f64; }

void write(Wave& wave, const Op& op, const std::uint32_t* value, std::uint64_t mask) {
  primitives().blend(wave.vector(op.destination), value, mask);
  if (is_wide(op.result))
    primitives().blend(wave.vector(op.destination + 1U), value + kLanes, mask);
}

void write_mask(Wave& wave, const Op& op, std::uint64_t bits) {
  wave.set_pair(op.scalar_destination, bits);
  if (op.writes_exec) wave.set_pair(isa::kExecLo, bits);
}

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

// Moves the lanes of `from` as DPP says, and clears the bits of lanes that must not be written.
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

void select_part(std::uint32_t* lanes, isa::Select select, bool sign_extend) {
  const auto index = static_cast<unsigned>(select);
  const bool word = index >= 4;
  const unsigned width = word ? 16 : 8, first = word ? (index - 4) * 16 : index * 8;
  const unsigned up = 32 - width - first, down = 32 - width;
  if (sign_extend) {
    for (unsigned i = 0; i < kLanes; ++i)
      lanes[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(lanes[i] << up) >> down);
  } else {
    for (unsigned i = 0; i < kLanes; ++i) lanes[i] = lanes[i] << up >> down;
  }
}

void change_sign(std::uint32_t* lanes, Type type, bool absolute, bool negate) {
  const std::uint32_t sign = type == Type::f16 ? 0x8000U : 0x80000000U;
  std::uint32_t* part = is_wide(type) ? lanes + kLanes : lanes;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (absolute) part[i] &= ~sign;
    if (negate) part[i] ^= sign;
  }
}

template <class T>
T modified(T value, unsigned output_modifier, bool clamp) {
  constexpr T kFactors[] = {T(1), T(2), T(4), T(0.5)};
  if (output_modifier != 0) value *= kFactors[output_modifier];
  if (clamp) value = value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
  return value;
}

void modify_result(std::uint32_t* lanes, const Op& op) {
  const Instruction& in = *op.instruction;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (op.result == Type::f32) {
      lanes[i] = std::bit_cast<std::uint32_t>(
          modified(std::bit_cast<float>(lanes[i]), in.output_modifier, in.clamp));
    } else if (op.result == Type::f16) {
      const Half half{static_cast<std::uint16_t>(lanes[i])};
      lanes[i] = to_half(modified(to_float(half), in.output_modifier, in.clamp)).bits;
    } else {
      detail::store(lanes, i,
                    modified(detail::load<double>(lanes, i), in.output_modifier, in.clamp));
    }
  }
}

// SDWA writes a part of the destination; the rest is zero, the sign, or what was there.
void place_result(std::uint32_t* lanes, const std::uint32_t* before, const isa::Sdwa& sdwa) {
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

// Most sources are vector registers, and need no call.
const std::uint32_t* plain_source(const Machine& machine, Wave& wave, const Source& source,
                                  Room& room) {
  if (source.kind == Source::Kind::vector) return wave.vector(source.number);
  if (source.kind == Source::Kind::none) return nullptr;
  return lanes_of(machine, wave, source, room.data());
}

const std::uint32_t* dressed_source(Machine& machine, Wave& wave, const Op& op, std::size_t index,
                                    Room& room, std::uint64_t& writes) {
  const Source& source = op.sources[index];
  const std::uint32_t* plain = lanes_of(machine, wave, source, room.data());
  const isa::Operand* operand = source.operand;
  if (operand == nullptr) return plain;
  const bool moved = op.instruction->form == Instruction::Form::dpp && index == 0;
  const isa::Sdwa& sdwa = op.instruction->sdwa;
  const auto select = index == 0 ? sdwa.source0 : sdwa.source1;
  const bool partial =
      op.instruction->form == Instruction::Form::sdwa && index < 2 && select != isa::Select::dword;
  if (!moved && !partial && !operand->negate && !operand->absolute) return plain;
  const std::size_t dwords = is_wide(source.type) ? 2 * kLanes : kLanes;
  if (moved) {
    Room copy;
    std::copy_n(plain, dwords, copy.data());
    move_lanes(op.instruction->dpp, wave.exec(), copy.data(), room.data(), writes);
  } else if (plain != room.data()) {
    std::copy_n(plain, dwords, room.data());
  }
  if (partial) select_part(room.data(), select, operand->sign_extend);
  change_sign(room.data(), source.type, operand->absolute, operand->negate);
  return room.data();
}

}  // namespace

const std::uint32_t* lanes_of(const Machine& machine, Wave& wave, const Source& source,
                              std::uint32_t* room) {
  switch (source.kind) {
    case Source::Kind::vector:
      return wave.vector(source.number);
    case Source::Kind::constant:
      return source.lanes;
    case Source::Kind::none:
      return nullptr;
    default:
      break;
  }
  const std::uint64_t value =
      is_wide(source.type) ? scalar64(machine, wave, source) : scalar32(machine, wave, source);
  primitives().fill(room, static_cast<std::uint32_t>(value));
  if (is_wide(source.type))
    primitives().fill(room + kLanes, static_cast<std::uint32_t>(value >> 32));
  return room;
}

bool run_lanes(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[3];
  const std::uint32_t* a = plain_source(machine, wave, op.sources[0], rooms[0]);
  const std::uint32_t* b = plain_source(machine, wave, op.sources[1], rooms[1]);
  const std::uint32_t* c = plain_source(machine, wave, op.sources[2], rooms[2]);
  const std::uint64_t exec = wave.exec();
  if (exec == kAllLanes) {
    op.lanes(wave.vector(op.destination), a, b, c);
    return true;
  }
  Room result;
  op.lanes(result.data(), a, b, c);
  write(wave, op, result.data(), exec);
  return true;
}

bool run_compare(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[2];
  const std::uint32_t* a = plain_source(machine, wave, op.sources[0], rooms[0]);
  const std::uint32_t* b = plain_source(machine, wave, op.sources[1], rooms[1]);
  write_mask(wave, op, op.mask(a, b, nullptr) & wave.exec());
  return true;
}

bool run_dressed(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[3];
  const std::uint32_t* sources[3] = {};
  std::uint64_t writes = wave.exec();
  for (std::size_t i = 0; i < op.source_count; ++i) {
    const bool is_mask = op.instruction != nullptr && op.target == i + 1;
    if (is_mask) {
      primitives().expand(rooms[i].data(), scalar64(machine, wave, op.sources[i]));
      sources[i] = rooms[i].data();
    } else {
      sources[i] = op.dressed ? dressed_source(machine, wave, op, i, rooms[i], writes)
                              : lanes_of(machine, wave, op.sources[i], rooms[i].data());
    }
  }
  std::uint64_t bits = 0;
  if (op.mask != nullptr) bits = op.mask(sources[0], sources[1], sources[2]) & wave.exec();
  if (op.lanes != nullptr) {
    Room result;
    op.lanes(result.data(), sources[0], sources[1], sources[2]);
    if (is_float(op.result) && (op.instruction->clamp || op.instruction->output_modifier != 0)) {
      modify_result(result.data(), op);
    }
    if (op.instruction->form == Instruction::Form::sdwa) {
      place_result(result.data(), wave.vector(op.destination), op.instruction->sdwa);
    }
    write(wave, op, result.data(), writes);
  }
  if (op.mask != nullptr) write_mask(wave, op, bits);
  return true;
}

}  // namespace rpl::emu
