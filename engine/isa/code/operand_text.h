// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/isa/code/instruction.h"
#include "engine/isa/object/code_object.h"

/// Parts of the text of instructions, spelled as llvm-objdump does; private to the disassembler.
namespace rpl::isa {

/// "v3", "v[3:4]".
std::string range(std::string_view prefix, unsigned number, unsigned dwords);
/// An inline floating-point constant: kFirstFloat to kLastFloat.
std::string_view float_text(std::uint16_t number, bool is_double);
/// Whether an inline constant of an operand of 16 or 32 bits has that value.
bool fits_constant(std::uint32_t value, bool is_half);
/// A literal dword: as the inline constant that it equals, else in hex.
std::string literal_text(std::uint32_t value);
/// A scalar register with a name of its own, whole or by halves: "vcc", "exec_lo".
std::string register_name(std::uint16_t number, unsigned dwords);
/// "quad_perm:[0,1,2,3]", "row_shr:1".
std::string dpp_text(unsigned control);
/// The pattern of ds_swizzle_b32: "swizzle(SWAP,1)".
std::string swizzle_text(unsigned offset);

/// Immediates with a syntax of their own, as llvm-objdump 19 writes them. The numbers are those of AMD's "Instinct MI200" and
/// "CDNA3" ISA documents.
/// "hwreg(HW_REG_MODE, 0, 4)": which bits of which hardware register s_getreg and s_setreg mean.
std::string hardware_register_text(Arch arch, std::uint16_t immediate);

/// "sendmsg(MSG_GS, GS_OP_EMIT, 0)", or a number for what is not a message.
std::string message_text(std::uint16_t immediate);

/// "gpr_idx(SRC0,DST)": which operands s_set_gpr_idx_on makes relative.
std::string index_modes_text(std::uint16_t immediate);

/// "[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]", of MTBUF; empty for the usual one (8 bits, normalised).
std::string buffer_format_text(std::uint8_t format);

}  // namespace rpl::isa
