// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/isa/object/code_object.h"

/// Immediates with a syntax of their own, as llvm-objdump 19 writes them. The numbers are those of AMD's "Instinct MI200" and
/// "CDNA3" ISA documents.
namespace rpl::isa {

/// "hwreg(HW_REG_MODE, 0, 4)": which bits of which hardware register s_getreg and s_setreg mean.
std::string hardware_register_text(Arch arch, std::uint16_t immediate);

/// "sendmsg(MSG_GS, GS_OP_EMIT, 0)", or a number for what is not a message.
std::string message_text(std::uint16_t immediate);

/// "gpr_idx(SRC0,DST)": which operands s_set_gpr_idx_on makes relative.
std::string index_modes_text(std::uint16_t immediate);

/// "[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]", of MTBUF; empty for the usual one (8 bits, normalised).
std::string buffer_format_text(std::uint8_t format);

}  // namespace rpl::isa
