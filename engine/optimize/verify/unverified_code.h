// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/device/execute/launch/launch.h"
#include "engine/optimize/verify/verify.h"

namespace rpl {

/// A program with the way that all its runs took.
struct SeenProgram {
  const emu::Program* program = nullptr;
  const emu::Path* path = nullptr;
};

struct CodeShown {
  std::uint32_t unseen_in_baseline = 0;      ///< instructions that can run and never ran
  std::optional<UnverifiedCode> unverified;  ///< of the candidate; nothing when all of it was seen
};

/// Instructions of the candidate that never ran, and conditions that came out in one way alone, unless the baseline has an instruction of the same name and constants that never
/// ran, or the same comparison that came out so, either. A comparison made alike, of either, that went both ways vouches for its copies.
///
/// Code that came with a function of mathematics, such as the range reduction of a logarithm, is left out: whoever wrote the kernel did not write it. So is another turn of a loop of
/// which compilers made several, where one of them went round and ended: the turns of an unrolled loop, of which what is left over never fills two.
CodeShown code_shown(const SeenProgram& baseline, const SeenProgram& candidate,
                     const CodeOrigin& origin);

}  // namespace rpl
