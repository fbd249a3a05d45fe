// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl::testing {

/// Runs a graph by the definition in docs/graph-model.md, from its listed edges alone, without caring for cost. duration(v) is asked for
/// every operation; gives back the end of each.
std::vector<std::int64_t> reference_ends(const Graph& graph,
                                         const std::function<std::int64_t(NodeId)>& duration);

std::int64_t last_of(const std::vector<std::int64_t>& ends);

}  // namespace rpl::testing
