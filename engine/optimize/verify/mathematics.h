// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/isa/object/source_lines.h"

namespace rpl {

/// Whether an instruction came with a function of mathematics, such as a square root, whose header lies elsewhere: by its place and what that was inlined into, outwards. False for an empty one.
bool is_from_mathematics(const std::vector<isa::SourcePlace>& chain);

}  // namespace rpl
