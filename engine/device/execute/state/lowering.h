// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"

/// Lowering of the families of instructions whose operands are not those of arithmetic: each fills in `op` and returns what
/// executes it, or null for an instruction without semantics.
namespace rpl::emu {

/// The number of a vector register among all of a wave's; accumulation registers follow the architectural ones.
unsigned vector_number(const Program& program, const isa::Operand& operand);

/// A register, or a constant's value. A constant gets no lanes.
Source register_source(const Program& program, const isa::Operand& operand,
                       const isa::Instruction& instruction, Type type);

Handler lower_memory(const Program& program, const isa::Instruction& instruction, Op& op);
Handler lower_scratch(const Program& program, const isa::Instruction& instruction, Op& op);
Handler lower_buffer(const Program& program, const isa::Instruction& instruction, Op& op);
Handler lower_scalar_memory(const Program& program, const isa::Instruction& instruction, Op& op);
Handler lower_lds(const Program& program, const isa::Instruction& instruction, Op& op);
Handler lower_matrix(const Program& program, const isa::Instruction& instruction, Op& op);

}  // namespace rpl::emu
