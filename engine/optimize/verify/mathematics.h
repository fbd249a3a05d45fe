// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/device/execute/launch/launch.h"
#include "engine/isa/object/source_lines.h"

namespace rpl {

/// Whether an instruction came with a function of mathematics, such as a square root, whose header lies elsewhere: by its place and what that was inlined into, outwards. False for an empty one.
bool is_from_mathematics(const std::vector<isa::SourcePlace>& chain);

/// Whether it has matrix instructions, whose sums no mode rounds otherwise.
bool has_matrices(const emu::Program& program);
/// Whether it sums products within an instruction, where no mode changes the rounding either.
bool has_dots(const emu::Program& program);
/// Whether it may run an approximation (a reciprocal, a root, an exponential), whose last bits no mode changes, and which are others on other devices.
bool has_approximations(const emu::Program& program);

}  // namespace rpl
