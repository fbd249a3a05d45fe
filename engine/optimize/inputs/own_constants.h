// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/launch/launch.h"
#include "engine/optimize/inputs/input_sets.h"

namespace rpl {

/// The constants of the candidate's instructions that no instruction of the baseline has: numbers of a size that inputs can have (2^-40 to 2^40), and whole numbers up to 2^40; the
/// same dword may be both. Each list is in ascending order, at most 64 long: those that are compared with stay when there are more. Of both programs only what can be reached from the entry counts.
Thresholds own_constants(const emu::Program& baseline, const emu::Program& candidate);

/// The sizes of literals from 3 to 2^24 in what can be reached from the entry, as divisors, factors and what is added are; the largest first, twelve at most.
std::vector<std::int64_t> whole_constants(const emu::Program& program);

}  // namespace rpl
