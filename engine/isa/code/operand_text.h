// SPDX-License-Identifier: MIT
#pragma once

#include "engine/isa/code/instruction.h"

/// Parts of the text of instructions, spelled as llvm-objdump does; private to the disassembler.
namespace rpl::isa {

/// "v3", "v[3:4]".
std::string range(std::string_view prefix, unsigned number, unsigned dwords);
/// An inline floating-point constant: kFirstFloat to kLastFloat.
std::string_view float_text(std::uint16_t number, bool is_double);
/// A literal dword: as the inline constant that it equals, else in hex.
std::string literal_text(std::uint32_t value);
/// A scalar register with a name of its own, whole or by halves: "vcc", "exec_lo".
std::string register_name(std::uint16_t number, unsigned dwords);
/// "quad_perm:[0,1,2,3]", "row_shr:1".
std::string dpp_text(unsigned control);
/// The pattern of ds_swizzle_b32: "swizzle(SWAP,1)".
std::string swizzle_text(unsigned offset);

}  // namespace rpl::isa
