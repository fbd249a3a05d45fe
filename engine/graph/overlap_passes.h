// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/overlap.h"

namespace rpl {

/// Pairs of kernels that could have run beside each other, as in OverlapReport::potential.
Result<std::vector<OverlapPair>> overlap_potential(const GraphArrays& graph,
                                                   const std::vector<bool>& on_path);

/// Fills the rest of the report: what did run beside what.
Status measure_overlap(const GraphArrays& graph, OverlapReport& report);

}  // namespace rpl
