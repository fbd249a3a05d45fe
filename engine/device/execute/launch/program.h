// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Decodes the code that a kernel can reach and resolves operands, constants and branch targets once. Words that are no
/// known instruction, and instructions without semantics, become operations that fault when they are executed.
/// The program refers to `object`. `any_mode`: waves may begin in another mode than the kernel asks for.
std::shared_ptr<const Program> make_program(const isa::CodeObject& object,
                                            const isa::Kernel& kernel, bool any_mode = false);

/// One instruction in internal form, with its constants in `program`, whose arch, vgprs, first_agpr and stateful are set.
/// `instruction` must outlive it.
Op lowered(Program& program, const isa::Instruction& instruction, std::uint64_t address);

/// How faithful the emulator is to one mnemonic.
enum class Fidelity : std::uint8_t { exact, approximate, unsupported };
std::string_view to_string(Fidelity fidelity);
Fidelity fidelity_of(isa::Arch arch, const isa::Instruction& instruction);

/// Points every branch in Program::ops to the operation at its target; those that lead nowhere fault when they are executed.
void resolve_branches(Program& program);

}  // namespace rpl::emu
