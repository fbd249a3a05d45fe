// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/optimize/inputs/input_sets.h"

namespace rpl {

/// Makes integers of any value (`out`) of a multiple of one constant, more or less another one or 0, or one next to that: where divisions and remainders by constants, and what is added before, change
/// what comes out. All pairs in turns, in drawn order. Leaves floats, indices and bytes alone, and all where `constants`, positive, are none.
void put_residues(const BufferTraits& traits, std::span<const std::int64_t> constants,
                  Random& random, std::vector<std::byte>& out);

}  // namespace rpl
