// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/critical_path.h"

namespace rpl {

/// A stretch of the critical path as a picture has it.
struct PathStretch {
  std::int64_t start_ns = 0, end_ns = 0;
  SegmentKind kind{};  ///< what most of it is
};

/// The path between two times, in their order. Segments shorter than `least_ns` are joined with their neighbours, and neighbours of one kind are one. Fails with
/// interrupted.
Result<std::vector<PathStretch>> path_stretches(const Graph& graph, std::int64_t from_ns,
                                                std::int64_t to_ns, std::int64_t least_ns);

}  // namespace rpl
