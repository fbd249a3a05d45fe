// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "engine/device/execute/launch/launch.h"
#include "engine/optimize/verify/verify.h"

namespace rpl {

/// A program with the way that all its runs took.
struct SeenProgram {
  const emu::Program* program = nullptr;
  const emu::Path* path = nullptr;
};

/// Instructions of the candidate that never ran, and choices of which one side was never taken, unless the baseline has an instruction of the same
/// name and constants that never ran, or was never taken to that side, either. A choice by the same comparison of
/// numbers made alike, of either, that went both ways vouches for its copies. Nothing when all of it was seen.
///
/// Code for which `from_mathematics` is true is left out: it came with a function of mathematics, such as the range reduction of a logarithm, and whoever wrote the kernel did not
/// write it. Empty: nothing is known of that.
std::optional<UnverifiedCode> unverified_code(
    const SeenProgram& baseline, const SeenProgram& candidate,
    const std::function<bool(std::uint64_t address)>& from_mathematics);

/// How many instructions never ran.
std::uint32_t unseen_instructions(const SeenProgram& seen);

}  // namespace rpl
