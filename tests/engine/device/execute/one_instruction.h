// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "engine/device/execute/instructions/state.h"
#include "engine/device/execute/launch/program.h"
#include "engine/isa/code/instruction.h"

/// Runs single vector instructions on registers that a test chooses, with no code object and no assembler.
namespace rpl::emu {

/// A value for each lane; 32-bit operands use the low half.
using LaneValues = std::array<std::uint64_t, kLanes>;

struct Probe {
  std::string name;  ///< without _e32 and _e64
  unsigned op_sel = 0, op_sel_hi = 7, neg = 0,
           abs = 0;  ///< abs is neg_hi where the encoding is VOP3P
  bool clamp = false;
  unsigned output_modifier = 0;
  std::uint32_t mode = kUsualMode;
  std::uint64_t before = 0;  ///< what the destination held
  std::uint64_t vcc = 0;
  isa::Arch arch = isa::Arch::gfx942;
  std::array<int, 3> constant{-1, -1, -1};  ///< an operand number in place of a register
};

inline const isa::Opcode* find_by_name(const std::string& name, isa::Arch arch,
                                       std::vector<isa::Encoding> encodings) {
  const unsigned sets = isa::traits(arch).instructions;
  for (const auto encoding : encodings) {
    for (const isa::Opcode& opcode : isa::opcodes()) {
      if (opcode.encoding == encoding && opcode.name() == name && (opcode.archs & sets) != 0)
        return &opcode;
    }
  }
  return nullptr;
}

/// The long encoding with destination v8, or s[20:21] of comparisons, and sources v0, v2 and v4.
inline std::array<std::uint32_t, 2> long_words(const isa::Opcode& opcode, const Probe& probe) {
  std::array<std::uint32_t, 3> source{};
  for (unsigned i = 0; i < 3; ++i)
    source[i] =
        probe.constant[i] >= 0 ? static_cast<std::uint32_t>(probe.constant[i]) : 256 + 2 * i;
  const bool packed = opcode.encoding == isa::Encoding::vop3p;
  const bool has_scalar = opcode.operands.find('S') != std::string_view::npos;
  const std::uint32_t destination = opcode.operands.starts_with("Q") ? 20 : 8;
  std::uint32_t low = (packed ? 0xd3800000U : 0xd0000000U) | std::uint32_t{opcode.code} << 16 |
                      (probe.clamp ? 1U << 15 : 0U) | probe.abs << 8 | destination;
  low |= has_scalar ? 20U << 8 : probe.op_sel << 11;
  std::uint32_t high = source[0] | source[1] << 9 | source[2] << 18 | probe.neg << 29;
  if (packed) {
    low |= (probe.op_sel_hi >> 2 & 1U) << 14;
    high |= (probe.op_sel_hi & 3U) << 27;
  } else {
    high |= probe.output_modifier << 27;
  }
  return {low, high};
}

/// A wave with every lane active, and a program for single instructions.
class OneInstruction {
 public:
  explicit OneInstruction(isa::Arch arch, std::uint32_t mode = kUsualMode,
                          std::uint32_t registers = 64) {
    program.arch = arch;
    program.vgprs = registers;
    program.first_agpr = registers / 2;
    program.stateful = mode != kUsualMode;
    machine.program = &program;
    wave.vgprs.resize(registers);
    wave.set_pair(isa::kExecLo, kAllLanes);
    wave.mode = mode;
  }

  void set(unsigned number, const LaneValues& values) {
    for (unsigned i = 0; i < kLanes; ++i) {
      wave.vector(number)[i] = static_cast<std::uint32_t>(values[i]);
      wave.vector(number + 1)[i] = static_cast<std::uint32_t>(values[i] >> 32);
    }
  }
  [[nodiscard]] LaneValues get(unsigned number, bool wide) {
    LaneValues values{};
    for (unsigned i = 0; i < kLanes; ++i)
      values[i] =
          wave.vector(number)[i] | (wide ? std::uint64_t{wave.vector(number + 1)[i]} << 32 : 0);
    return values;
  }

  /// False where the emulator has no semantics for the words.
  bool run(std::span<const std::uint32_t> words) {
    const auto instruction = isa::decode(program.arch, words);
    if (!instruction) return false;
    const Op op = lowered(program, *instruction, 0);
    return op.handler(machine, wave, op);
  }

  Program program;
  Machine machine;
  Wave wave;
};

inline LaneValues run(const Probe& probe, const LaneValues& a, const LaneValues& b = {},
                      const LaneValues& c = {}) {
  OneInstruction one(probe.arch, probe.mode);
  const isa::Opcode* opcode =
      find_by_name(probe.name, probe.arch, {isa::Encoding::vop3, isa::Encoding::vop3p});
  EXPECT_NE(opcode, nullptr) << probe.name;
  if (opcode == nullptr) return {};
  one.set(0, a);
  one.set(2, b);
  one.set(4, c);
  LaneValues before;
  before.fill(probe.before);
  one.set(8, before);
  one.wave.set_pair(isa::kVccLo, probe.vcc);
  EXPECT_TRUE(one.run(long_words(*opcode, probe)))
      << probe.name << ": " << (one.machine.fault ? one.machine.fault->message : "");
  if (opcode->operands.starts_with("Q")) {
    LaneValues bits{};
    for (unsigned i = 0; i < kLanes; ++i) bits[i] = one.wave.pair(20) >> i & 1;
    return bits;
  }
  return one.get(8, opcode->operands.starts_with("D2"));
}

inline std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float real(std::uint64_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value));
}

inline LaneValues all_lanes(std::uint64_t value) {
  LaneValues values;
  values.fill(value);
  return values;
}

/// The result of lane 0 with the same sources in every lane.
inline std::uint64_t run_one(const Probe& probe, std::uint64_t a, std::uint64_t b = 0,
                             std::uint64_t c = 0) {
  return run(probe, all_lanes(a), all_lanes(b), all_lanes(c))[0];
}

}  // namespace rpl::emu
