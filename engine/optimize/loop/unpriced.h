// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/arch/gpu.h"
#include "engine/device/execute/launch/launch.h"

namespace rpl {

/// Bytes of the machine code that ran. `executed` counted by instruction.
double code_that_ran(const emu::Executed& executed);

/// What a candidate needs more of than its base and the cycle model has no price for, so that its times do not compare: more code than the instruction cache holds. A sentence; nothing where there is
/// no such thing, or the cache's size is not known.
std::optional<std::string> unpriced(const emu::Executed& base, const emu::Executed& candidate,
                                    const arch::Gpu& gpu);

}  // namespace rpl
