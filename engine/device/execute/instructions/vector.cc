// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/modifiers.h"
#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

using isa::Instruction;

constexpr std::uint32_t kSignBit = 0x80000000U;

void write(Wave& wave, const Op& op, const std::uint32_t* value, std::uint64_t mask) {
  primitives().blend(wave.vector(op.destination), value, mask);
  if (is_wide(op.result))
    primitives().blend(wave.vector(op.destination + 1U), value + kLanes, mask);
}

void write_mask(Wave& wave, const Op& op, std::uint64_t bits) {
  wave.set_pair(op.scalar_destination, bits);
  if (op.writes_exec) wave.set_pair(isa::kExecLo, bits);
}

// Most sources are vector registers, and need no call.
const std::uint32_t* plain_source(const Machine& machine, Wave& wave, const Source& source,
                                  Room& room) {
  if (source.kind == Source::Kind::vector) return wave.vector(source.number);
  if (source.kind == Source::Kind::none) return nullptr;
  return lanes_of(machine, wave, source, room.data());
}

/// Sources of f32 and f64 with nothing but absolute values and negation, the most frequent modifiers.
bool changes_sign_alone(const Op& op, std::size_t index, const FloatMode* mode) {
  const Source& source = op.sources[index];
  return mode == nullptr && op.instruction->form == Instruction::Form::plain &&
         (source.type == Type::f32 || source.type == Type::f64) && source.operand != nullptr &&
         (source.operand->negate || source.operand->absolute) &&
         op.instruction->opcode->encoding != isa::Encoding::vop3p &&
         (op.entry == nullptr || !op.entry->mixed);
}

// With a mode, float sources are copied to have their denormals flushed.
const std::uint32_t* dressed_source(Machine& machine, Wave& wave, const Op& op, std::size_t index,
                                    const FloatMode* mode, Room& room, std::uint64_t& writes) {
  const Source& source = op.sources[index];
  const std::uint32_t* plain = lanes_of(machine, wave, source, room.data());
  if (plain == nullptr) return plain;
  if (changes_sign_alone(op, index, mode)) {
    const std::size_t high = is_wide(source.type) ? kLanes : 0;
    if (high != 0) primitives().change_bits(room.data(), plain, ~0U, 0);
    primitives().change_bits(room.data() + high, plain + high,
                             source.operand->absolute ? ~kSignBit : ~0U,
                             source.operand->negate ? kSignBit : 0);
    return room.data();
  }
  const bool moved = op.instruction->form == Instruction::Form::dpp && index == 0;
  const bool dressed = is_dressed(op, index) || (mode != nullptr && is_float(source.type));
  if (!moved && !dressed) return plain;
  const std::size_t dwords = is_wide(source.type) ? 2 * kLanes : kLanes;
  if (moved) {
    Room copy;
    std::copy_n(plain, dwords, copy.data());
    for (std::size_t first = 0; first < dwords; first += kLanes)
      move_lanes(op.instruction->dpp, wave.exec(), copy.data() + first, room.data() + first,
                 writes);
  } else if (plain != room.data()) {
    std::copy_n(plain, dwords, room.data());
  }
  if (dressed) dress(room.data(), op, index, mode);
  return room.data();
}

LaneFunction lanes_in(const FloatMode& mode, const Op& op) {
  if (op.entry == nullptr || op.lanes != op.entry->lanes) return op.lanes;
  if (op.entry->by_mode != nullptr) return op.entry->by_mode;
  return !mode.ieee && op.entry->no_ieee != nullptr ? op.entry->no_ieee : op.lanes;
}

[[gnu::always_inline]] inline bool run_with_modifiers(Machine& machine, Wave& wave, const Op& op,
                                                      const FloatMode* mode) {
  Room rooms[3];
  const std::uint32_t* sources[3] = {};
  std::uint64_t writes = wave.exec();
  for (std::size_t i = 0; i < op.source_count; ++i) {
    const bool is_mask = op.instruction != nullptr && op.target == i + 1;
    if (is_mask) {
      primitives().expand(rooms[i].data(), scalar64(machine, wave, op.sources[i]));
      sources[i] = rooms[i].data();
    } else {
      sources[i] = op.dressed || mode != nullptr
                       ? dressed_source(machine, wave, op, i, mode, rooms[i], writes)
                       : lanes_of(machine, wave, op.sources[i], rooms[i].data());
    }
  }
  std::uint64_t bits = 0;
  if (op.mask != nullptr) bits = op.mask(sources[0], sources[1], sources[2]) & wave.exec();
  if (op.lanes != nullptr) {
    Room result;
    const LaneFunction lanes = mode == nullptr ? op.lanes : lanes_in(*mode, op);
    lanes(result.data(), sources[0], sources[1], sources[2]);
    if (op.instruction->clamp || mode != nullptr) modify_result(result.data(), op, mode);
    place_result(result.data(), wave.vector(op.destination), op);
    write(wave, op, result.data(), writes);
  }
  if (op.mask != nullptr) write_mask(wave, op, bits);
  return true;
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
  return run_with_modifiers(machine, wave, op, nullptr);
}

bool run_in_mode(Machine& machine, Wave& wave, const Op& op) {
  const FloatMode mode = float_mode(wave.mode);
  const bool fixed = op.entry->fixed_rounding || op.entry->approximate;
  const ModeScope scope(mode, op.result, fixed);
  return run_with_modifiers(machine, wave, op, &mode);
}

UnderRounding under_rounding(const Op& op) {
  const bool host_type =
      op.result == Type::f32 || op.result == Type::f32x2 || op.result == Type::f64;
  if (op.entry == nullptr || op.entry->by_mode != nullptr || !host_type)
    return UnderRounding::by_mode;
  return op.entry->fixed_rounding || op.entry->approximate ? UnderRounding::alike
                                                           : UnderRounding::as_host;
}

}  // namespace rpl::emu
