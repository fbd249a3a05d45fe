// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Appends the instructions of a code segment to Program::text and says in Program::index_of where each lies.
void decode_segment(const isa::CodeObject& object, const isa::Segment& segment, Program& program);

/// Points every branch in Program::ops to the operation at its target; those that lead nowhere fault when they are executed.
void resolve_branches(Program& program);

}  // namespace rpl::emu
