// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/state.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "engine/device/execute/instructions/modifiers.h"
#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/host_rounding.h"

namespace rpl::emu {
namespace {

// hwreg numbers: LLVM, "AMDGPU Operand Syntax", hwreg; ISA documents, "Hardware registers".
enum HardwareRegister : std::uint32_t {
  kModeRegister = 1,
  kStatusRegister = 2,
  kTrapStatusRegister = 3,
  kHardwareId = 4,
  kMemoryBases = 15,
  kDieId = 20
};

struct RegisterPart {
  explicit RegisterPart(const isa::Instruction& in)
      : number(in.immediate & 63U), offset(in.immediate >> 6 & 31U) {
    const unsigned bits = (in.immediate >> 11 & 31U) + 1U;
    const std::uint32_t ones = bits >= 32 ? ~0U : (1U << bits) - 1;
    mask = ones << offset;
  }
  std::uint32_t number, offset, mask = 0;
};

bool sets_mode(const isa::Instruction& in) {
  if (!in.opcode->mnemonic.starts_with("s_setreg")) return false;
  const RegisterPart part(in);
  return part.number == kModeRegister && (part.mask & kArithmeticBits) != 0;
}
bool sets_skipping(const isa::Instruction& in) {
  if (in.opcode->mnemonic == "s_setvskip") return true;
  if (!in.opcode->mnemonic.starts_with("s_setreg")) return false;
  const RegisterPart part(in);
  return part.number == kModeRegister && (part.mask & kSkipBit) != 0;
}

std::uint32_t status(const Wave& wave) {
  constexpr unsigned kExecz = 9, kVccz = 10, kValid = 16;
  return (wave.scc ? 1U : 0U) | (wave.exec() == 0 ? 1U << kExecz : 0U) |
         (wave.vcc() == 0 ? 1U << kVccz : 0U) | 1U << kValid;
}

/// Nothing for registers that would say what the emulator does not have.
std::optional<std::uint32_t> hardware_register(const Wave& wave, std::uint32_t number) {
  constexpr std::uint32_t kSimds = 4;
  switch (number) {
    case kModeRegister:
      return wave.mode;
    case kStatusRegister:
      return status(wave);
    case kTrapStatusRegister:
    case kDieId:
      return 0;
    case kHardwareId:  // one compute unit, whose waves fill SIMD after SIMD
      return wave.id / kSimds | (wave.id % kSimds) << 4;
    case kMemoryBases:
      return kSharedBaseHigh >> 16 << 16 | kPrivateBaseHigh >> 16;
    default:
      return std::nullopt;
  }
}

bool get_register(Machine& machine, Wave& wave, const Op& op) {
  const RegisterPart part(*op.instruction);
  const auto value = hardware_register(wave, part.number);
  if (!value) return run_unsupported(machine, wave, op);
  wave.sgprs[op.destination] = (*value & part.mask) >> part.offset;
  return true;
}

bool set_register(Machine& machine, Wave& wave, const Op& op, std::uint32_t value) {
  const RegisterPart part(*op.instruction);
  if (part.number == kTrapStatusRegister) return true;  // exceptions are not recorded
  if (part.number != kModeRegister) return run_unsupported(machine, wave, op);
  wave.mode = (wave.mode & ~part.mask) | (value << part.offset & part.mask);
  return true;
}
bool set_register_from_sgpr(Machine& machine, Wave& wave, const Op& op) {
  return set_register(machine, wave, op, wave.sgprs[op.destination]);
}
bool set_register_from_literal(Machine& machine, Wave& wave, const Op& op) {
  return set_register(machine, wave, op, op.instruction->literal);
}

// One bit of the first source, which the second chooses.
bool set_skipping(Machine& machine, Wave& wave, const Op& op) {
  const std::uint32_t bit =
      scalar32(machine, wave, op.sources[0]) >> (scalar32(machine, wave, op.sources[1]) & 31U) & 1U;
  wave.mode = (wave.mode & ~kSkipBit) | (bit != 0 ? kSkipBit : 0);
  return true;
}

// M0 holds the register index in bits 0 to 7 and in bits 12 to 15 which operands it is added to.
constexpr std::uint32_t kIndexBits = 0xff, kIndexModes = 0xf000;

bool index_on(Machine& machine, Wave& wave, const Op& op) {
  const std::uint32_t index = scalar32(machine, wave, op.sources[0]) & kIndexBits;
  std::uint32_t& m0 = wave.sgprs[isa::kM0];
  m0 = (m0 & ~(kIndexBits | kIndexModes)) | index | (op.instruction->immediate & 15U) << 12;
  wave.mode |= kIndexBit;
  return true;
}
bool index_off(Machine&, Wave& wave, const Op&) {
  wave.mode &= ~kIndexBit;
  return true;
}
bool index_modes(Machine&, Wave& wave, const Op& op) {
  std::uint32_t& m0 = wave.sgprs[isa::kM0];
  m0 = (m0 & ~kIndexModes) | (op.instruction->immediate & 15U) << 12;
  return true;
}
bool index_value(Machine& machine, Wave& wave, const Op& op) {
  std::uint32_t& m0 = wave.sgprs[isa::kM0];
  m0 = (m0 & ~kIndexBits) | (scalar32(machine, wave, op.sources[0]) & kIndexBits);
  return true;
}

bool is_scalar_result(const Op& op) { return op.instruction->operand('D') == nullptr; }

/// Adds the index to the registers of `op`. False when one would lie beyond the wave's.
bool add_index(const Wave& wave, Op& op) {
  const std::uint32_t m0 = wave.sgprs[isa::kM0], index = m0 & kIndexBits;
  const auto moved = [&](std::uint16_t& number, unsigned mode, bool wide) {
    if ((m0 >> (12 + mode) & 1U) == 0) return true;
    number = static_cast<std::uint16_t>(number + index);
    return number + (wide ? 1U : 0U) < wave.vgprs.size();
  };
  constexpr unsigned kDestination = 3;
  bool inside = true;
  for (unsigned i = 0; i < op.sources.size(); ++i) {
    Source& source = op.sources[i];
    const bool is_accumulator = i > 0 && source.operand == nullptr && op.entry != nullptr;
    if (source.kind == Source::Kind::vector)
      inside &= moved(source.number, is_accumulator ? kDestination : i, is_wide(source.type));
  }
  return inside &&
         (is_scalar_result(op) || moved(op.destination, kDestination, is_wide(op.result)));
}

// v_div_fmas, the one float instruction without an entry.
bool run_division_step(Machine& machine, Wave& wave, const Op& op) {
  const FloatMode mode = float_mode(wave.mode);
  const SizeMode& size = mode_of(mode, op.result);
  Room rooms[3];
  Op flushed = op;
  for (std::size_t i = 0; i < op.source_count; ++i) {
    const std::uint32_t* lanes = lanes_of(machine, wave, op.sources[i], rooms[i].data());
    if (lanes != rooms[i].data())
      std::copy_n(lanes, is_wide(op.result) ? 2 * kLanes : kLanes, rooms[i].data());
    if (!size.reads_denormals) flush_denormals(rooms[i].data(), op.result);
    flushed.sources[i].kind = Source::Kind::constant;
    flushed.sources[i].lanes = rooms[i].data();
  }
  Room result;
  {
    const ModeScope scope(mode, op.result, false);
    op.usual(machine, wave, flushed);
  }
  if (size.writes_denormals) return true;
  const unsigned registers = is_wide(op.result) ? 2 : 1;
  for (unsigned k = 0; k < registers; ++k)
    std::copy_n(wave.vector(op.destination + k), kLanes, result.data() + std::size_t{k} * kLanes);
  flush_denormals(result.data(), op.result);
  for (unsigned k = 0; k < registers; ++k) {
    for (unsigned i = 0; i < kLanes; ++i) {
      if ((wave.exec() >> i & 1) != 0)
        wave.vector(op.destination + k)[i] = result.lane[std::size_t{k} * kLanes + i];
    }
  }
  return true;
}

bool run_rounding(Machine& machine, Wave& wave, const Op& op);

bool run_unindexed(Machine& machine, Wave& wave, const Op& op) {
  if (wave.rounds_by != 0 && is_float(op.result)) return run_rounding(machine, wave, op);
  if ((wave.mode & kArithmeticBits) == kUsualMode) return op.usual(machine, wave, op);
  if (op.entry != nullptr) return run_in_mode(machine, wave, op);
  return is_float(op.result) ? run_division_step(machine, wave, op) : op.usual(machine, wave, op);
}

/// One unit in the last place up, down, or not at all. Only normal numbers other than 0. Which it is is drawn, so that nothing branches on it.
template <class Bits>
Bits moved_number(Bits bits, Bits drawn, unsigned mantissa) {
  const Bits exponents = static_cast<Bits>(~Bits{0}) >> 1 & ~((Bits{1} << mantissa) - 1);
  const Bits exponent = bits & exponents;
  const auto normal = static_cast<Bits>((exponent != 0) & (exponent != exponents));
  // Of the four values 1 is up and 2 down.
  const Bits one = drawn & 1, two = drawn >> 1 & 1;
  return bits + (((one & ~two) - (two & ~one)) & (Bits{0} - normal));
}

/// A byte of what was drawn for each lane.
std::array<std::uint8_t, kLanes> bytes_drawn(std::uint64_t& drawn) {
  std::array<std::uint8_t, kLanes> out;
  for (std::size_t i = 0; i < kLanes; i += sizeof(drawn)) {
    drawn = next_drawn(drawn);
    std::memcpy(out.data() + i, &drawn, sizeof(drawn));
  }
  return out;
}

/// Moves the lanes of f32 that `exec` has.
void move_floats(std::uint32_t* lanes, std::uint64_t exec, std::uint64_t& drawn) {
  const auto bytes = bytes_drawn(drawn);
  std::array<std::uint32_t, kLanes> moved;
  for (unsigned i = 0; i < kLanes; ++i)
    moved[i] = moved_number(lanes[i], std::uint32_t{bytes[i]}, 23);
  if (exec == kAllLanes) {
    std::ranges::copy(moved, lanes);
  } else {
    for (unsigned i = 0; i < kLanes; ++i) lanes[i] = (exec >> i & 1) != 0 ? moved[i] : lanes[i];
  }
}

void move_results(Wave& wave, const Op& op, std::uint64_t& drawn) {
  std::uint32_t* const low = wave.vector(op.destination);
  const std::uint64_t exec = wave.exec();
  if (!is_wide(op.result)) {
    if (op.result == Type::f32) move_floats(low, exec, drawn);
    return;
  }
  std::uint32_t* const high = wave.vector(op.destination + 1U);
  if (op.result == Type::f32x2) {
    move_floats(low, exec, drawn);
    move_floats(high, exec, drawn);
  } else if (op.result == Type::f64) {
    const auto bytes = bytes_drawn(drawn);
    for (unsigned i = 0; i < kLanes; ++i) {
      if ((exec >> i & 1) == 0) continue;
      const std::uint64_t both =
          moved_number(std::uint64_t{high[i]} << 32 | low[i], std::uint64_t{bytes[i]}, 52);
      low[i] = static_cast<std::uint32_t>(both);
      high[i] = static_cast<std::uint32_t>(both >> 32);
    }
  }
}

/// With nothing but the rounding unusual.
bool run_rounded(Machine& machine, Wave& wave, const Op& op, Rounding way) {
  if (op.under_rounding == UnderRounding::alike) return op.usual(machine, wave, op);
  const int before = host_rounding();
  round_host(host_rounding_of(way));
  const bool goes_on = op.usual(machine, wave, op);
  round_host(before);
  return goes_on;
}

/// As the wave's own generator says.
bool run_rounding(Machine& machine, Wave& wave, const Op& op) {
  std::uint64_t drawn = next_drawn(wave.rounds_by);
  const std::uint32_t mode = wave.mode;
  const Rounding way = (drawn & (1U << 20)) != 0 ? Rounding::up : Rounding::down;
  wave.rounds_by = 0;
  bool goes_on = false;
  if (op.under_rounding != UnderRounding::by_mode && (mode & kArithmeticBits) == kUsualMode) {
    goes_on = run_rounded(machine, wave, op, way);
  } else {
    const auto bits = static_cast<std::uint32_t>(way);
    wave.mode = (mode & ~0xfU) | bits | bits << 2;
    goes_on = run_unindexed(machine, wave, op);
    wave.mode = mode;
  }
  if (wave.moves_results && goes_on && op.may_move) move_results(wave, op, drawn);
  wave.rounds_by = drawn;
  return goes_on;
}

using StateTable = std::unordered_map<std::string, Handler>;

}  // namespace

std::uint32_t initial_mode(const isa::KernelDescriptor& descriptor) {
  return descriptor.round_mode | std::uint32_t{descriptor.denormal_mode} << 4 |
         (descriptor.dx10_clamp ? 1U << 8 : 0U) | (descriptor.ieee_mode ? 1U << 9 : 0U);
}

bool may_skip(std::span<const isa::Located> text) {
  return std::any_of(text.begin(), text.end(), [](const isa::Located& located) {
    return sets_skipping(located.instruction);
  });
}

bool is_arithmetic(const isa::Instruction& in) {
  constexpr std::uint32_t kScaleOfDivision = 0x4f7ffffe;
  const isa::Operand* result = in.operand('D');
  if (result == nullptr || result->kind != isa::Operand::Kind::vgpr) return false;
  std::string_view name = in.opcode->mnemonic;
  if (!name.starts_with("v_") || name.starts_with("v_rcp_iflag") || in.literal == kScaleOfDivision)
    return false;
  name.remove_prefix(name.starts_with("v_pk_") ? 5 : 2);
  constexpr std::string_view kNames[] = {"add_f", "sub_f", "subrev_f", "mul_f",    "mul_legacy_f",
                                         "fma",   "mac_f", "mad_f",    "madmk_f",  "madak_f",
                                         "rcp_f", "rsq_f", "sqrt_f",   "exp_f",    "log_f",
                                         "sin_f", "cos_f", "dot",      "div_fmas", "div_fixup"};
  return std::ranges::any_of(kNames, [&](std::string_view one) { return name.starts_with(one); });
}

bool is_stateful(const isa::KernelDescriptor& descriptor, std::span<const isa::Located> text) {
  if (initial_mode(descriptor) != kUsualMode) return true;
  return std::any_of(text.begin(), text.end(), [](const isa::Located& located) {
    return located.instruction.opcode->mnemonic == "s_set_gpr_idx_on" ||
           sets_mode(located.instruction);
  });
}

bool run_stateful(Machine& machine, Wave& wave, const Op& op) {
  if ((wave.mode & (kIndexBit | kSkipBit)) == 0) return run_unindexed(machine, wave, op);
  if ((wave.mode & kSkipBit) != 0) return true;
  Op moved = op;
  if (!add_index(wave, moved)) {
    return machine.stop(wave, op, Errc::verification_failed,
                        "the register index leads beyond the registers of the wave");
  }
  return run_unindexed(machine, wave, moved);
}

bool run_unless_skipped(Machine& machine, Wave& wave, const Op& op) {
  if ((wave.mode & kSkipBit) == 0) return op.usual(machine, wave, op);
  machine.access.space = Access::Space::none;
  return true;
}

Handler find_state_handler(const std::string& name) {
  static const StateTable table = {{"s_getreg_b32", get_register},
                                   {"s_setreg_b32", set_register_from_sgpr},
                                   {"s_setreg_imm32_b32", set_register_from_literal},
                                   {"s_setvskip", set_skipping},
                                   {"s_set_gpr_idx_on", index_on},
                                   {"s_set_gpr_idx_off", index_off},
                                   {"s_set_gpr_idx_mode", index_modes},
                                   {"s_set_gpr_idx_idx", index_value}};
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace rpl::emu
