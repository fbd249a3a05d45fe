// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/isa/code/opcode.h"

namespace rpl::isa {

/// Numbers of scalar operands that are not plain SGPRs (ISA documents, "Scalar ALU Operands").
enum ScalarCode : std::uint16_t {
  kFlatScratchLo = 102,
  kFlatScratchHi = 103,
  kXnackMaskLo = 104,
  kXnackMaskHi = 105,
  kVccLo = 106,
  kVccHi = 107,
  kTtmp0 = 108,
  kM0 = 124,
  kNull = 125,
  kExecLo = 126,
  kExecHi = 127,
  kZero = 128,
  kLastPositive = 192,
  kMinusOne = 193,
  kLastNegative = 208,
  kSharedBase = 235,
  kSharedLimit = 236,
  kPrivateBase = 237,
  kPrivateLimit = 238,
  kPopsId = 239,
  kFirstFloat = 240,
  kLastFloat = 248,
  kVccz = 251,
  kExecz = 252,
  kScc = 253,
  kLdsDirect = 254,
  kLiteral = 255
};

struct Operand {
  enum class Kind : std::uint8_t { scalar, vgpr, agpr, off };
  Kind kind = Kind::off;
  char letter = 0;  ///< as in Opcode::operands
  std::uint8_t dwords = 0;
  std::uint16_t number = 0;  ///< register number; for scalar also the constants of ScalarCode
  bool negate = false, absolute = false, sign_extend = false;

  [[nodiscard]] bool is_vector() const { return kind == Kind::vgpr || kind == Kind::agpr; }
};

/// Reads a part of a register (SDWA selectors).
enum class Select : std::uint8_t { byte_0, byte_1, byte_2, byte_3, word_0, word_1, dword };
enum class Unused : std::uint8_t { pad, sext, preserve };

struct Sdwa {
  Select destination = Select::dword, source0 = Select::dword, source1 = Select::dword;
  Unused unused = Unused::pad;
};

struct Dpp {
  std::uint16_t control = 0;
  std::uint8_t row_mask = 0xf, bank_mask = 0xf;
  bool bound_control = false;
};

/// One decoded instruction. Fields that its encoding lacks stay zero.
struct Instruction {
  enum class Form : std::uint8_t { plain, sdwa, dpp };
  const Opcode* opcode = nullptr;
  std::uint8_t bytes = 0;
  std::array<std::uint32_t, 4> words{};  ///< as found; zero behind the last
  Form form = Form::plain;
  std::uint8_t operand_count = 0;
  std::array<Operand, 6> operands;
  std::uint32_t literal = 0;  ///< of the operand kLiteral, or of a VOP2 with the flag k
  std::uint16_t immediate =
      0;  ///< SIMM16; s_set_gpr_idx_on: the modes; s_atc_probe: its 7-bit field; v_bitop3: the truth table
  bool clamp = false;
  std::uint8_t output_modifier = 0;  ///< 1 = times 2, 2 = times 4, 3 = halved
  std::uint8_t op_sel = 0, op_sel_hi = 0, neg_lo = 0, neg_hi = 0;
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;
  Sdwa sdwa;
  Dpp dpp;
  std::int32_t offset = 0;                ///< bytes
  std::uint8_t offset0 = 0, offset1 = 0;  ///< in elements
  std::uint8_t soffset = 0;               ///< SMEM: an SGPR number, when has_soffset
  bool has_offset = false, has_soffset = false;
  bool glc = false, slc = false, scc = false, lds = false, gds = false, idxen = false,
       offen = false;
  std::uint8_t format = 0;  ///< MTBUF

  /// The operand with that letter, or null.
  [[nodiscard]] const Operand* operand(char letter) const;
};

/// Decodes the instruction that starts with `words` (at most 4 are looked at: an 8-byte encoding takes no literal here).
/// Nothing for what is not an instruction of `arch`, or is cut short.
std::optional<Instruction> decode(Arch arch, std::span<const std::uint32_t> words);

/// The text of an instruction as llvm-objdump 19 writes it, or 22 where 19 does not know `arch`: "v_add_f32_e32 v0, s2, v1".
std::string disassemble(Arch arch, const Instruction& instruction);

}  // namespace rpl::isa
