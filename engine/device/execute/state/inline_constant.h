// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

/// Whether a scalar operand number is a constant or a literal.
bool is_constant(std::uint16_t number);
/// Its bits as an operand of `type` reads them; `literal` is the dword behind the instruction.
std::uint64_t constant_of(std::uint16_t number, std::uint32_t literal, Type type);

}  // namespace rpl::emu
