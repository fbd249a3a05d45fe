// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/isa/object/code_object.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::isa {

/// The bit layouts of gfx9 machine code that this build decodes (AMD's "Instinct MI200", "CDNA3" and "CDNA4" ISA documents).
enum class Encoding : std::uint8_t {
  sop1,
  sop2,
  sopc,
  sopk,
  sopp,
  smem,
  vop1,
  vop2,
  vopc,
  vop3,
  vop3p,
  vop3px,  ///< four words: the scales of a matrix instruction, and the instruction as in vop3p
  ds,
  flat,
  global,
  scratch,
  mubuf,
  mtbuf
};
inline constexpr int kEncodings = 18;

/// One row of the tables in engine/isa/code/opcodes.
struct Opcode {
  Encoding encoding;
  std::uint16_t code;
  std::uint8_t archs;         ///< the InstructionSets that have it
  std::string_view mnemonic;  ///< with _e32 or _e64 where both forms exist
  /// Operands in the order of the text, each a letter and a width in dwords: D destination, Q scalar destination, S second
  /// scalar destination, A B C sources, M N scales of A and B, V vcc, X Y memory data, R resource, T scalar offset, O scalar base or off.
  std::string_view operands;
  /// n negate, a absolute, m output multiplier, c clamp, o part select, t truth table, s the second source alone
  /// negated and absolute (VOP3); k a literal (VOP2);
  /// or the words branch, imm, hwreg, atomic, mfma, 2 (two 8-bit offsets).
  std::string_view flags;

  /// The mnemonic without _e32 and _e64.
  [[nodiscard]] std::string_view name() const;
};

/// Every row. The position of a row is stable within one build.
std::span<const Opcode> opcodes();

/// The row of an opcode, or null when `arch` has no such instruction.
const Opcode* find_opcode(Arch arch, Encoding encoding, std::uint32_t code);

}  // namespace rpl::isa
