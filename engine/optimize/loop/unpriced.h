// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/arch/gpu.h"
#include "engine/device/execute/launch/launch.h"

namespace rpl {

/// What a candidate needs more of than its base and the cycle model has no price for, so that its times do not compare (both counted by instruction): more code than the instruction cache holds. A sentence; nothing where there is
/// no such thing, or the cache's size is not known.
std::optional<std::string> unpriced(const emu::Executed& base, const emu::Executed& candidate,
                                    const arch::Gpu& gpu);

}  // namespace rpl
