// SPDX-License-Identifier: MIT
#pragma once

#include "engine/isa/code/instruction.h"

namespace rpl::isa {

/// The simplest instruction of an opcode on `arch`: lowest registers, no modifiers. Nothing when `arch` has no such opcode.
std::optional<Instruction> plain_instruction(Arch arch, const Opcode& opcode);

}  // namespace rpl::isa
