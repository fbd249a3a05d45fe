// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Fills Program::text, index_of and first_address with the code that a kernel can reach, and one instruction behind it that stops who runs off its end:
/// the kernel's own function where it calls nothing and jumps nowhere else (in segments beyond a megabyte: as far as can be seen), so that an object of a thousand kernels is not decoded a thousand times; else the
/// whole segment. Empty where the entry lies in no code. Program::arch is set.
void decode_reachable(const isa::CodeObject& object, const isa::Kernel& kernel, Program& program);

}  // namespace rpl::emu
