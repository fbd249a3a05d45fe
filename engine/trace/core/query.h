// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/stats.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Which dispatches: those that meet every condition. An empty list is not a condition. Indices are those of the trace's
/// entities.
struct DispatchQuery {
  std::vector<std::uint32_t> kernels, streams, queues, agents, processes;
  std::optional<std::int64_t> from_ns, to_ns;                    ///< from_ns <= start < to_ns
  std::optional<std::int64_t> min_duration_ns, max_duration_ns;  ///< inclusive
};

/// All scans run in the engine, in parallel, over columns alone; they fail only with interrupted.

Result<DurationSummary> summarize(const Trace& trace, const DispatchQuery& query);

/// Durations at the given ranks (0 … 100), by the nearest-rank definition: the smallest recorded duration that at least
/// that share of the matching dispatches does not exceed. Empty when nothing matches.
Result<std::vector<std::int64_t>> duration_percentiles(const Trace& trace,
                                                       const DispatchQuery& query,
                                                       std::span<const double> ranks);

/// Rows of the `count` longest matching dispatches, longest first, equal ones in order of their rows.
Result<std::vector<std::uint32_t>> longest(const Trace& trace, const DispatchQuery& query,
                                           std::size_t count);

/// Matching rows in order, after skipping `offset` of them, at most `count`.
Result<std::vector<std::uint32_t>> matching_rows(const Trace& trace, const DispatchQuery& query,
                                                 std::size_t count, std::size_t offset = 0);

}  // namespace rpl
