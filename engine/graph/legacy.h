// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// A dispatch as the older tool saw it.
struct LegacyNode {
  std::int64_t start_ns = 0, end_ns = 0;  ///< end may be before start
  std::uint32_t queue = 0;
  std::uint32_t symbol = 0;  ///< dispatches with one display name share it
};

/// What the older tool reported, by its own definition (docs/graph-model.md, "The legacy model").
struct LegacyPath {
  std::int64_t critical_path_ns = 0;        ///< longest sum of durations; can exceed the span
  std::vector<std::uint32_t> path;          ///< rows, first to last
  std::uint32_t dominant_row = kNone;       ///< longest dispatch on the path
  std::uint32_t dominant_symbol = kNone;    ///< as in LegacyNode; a kernel index for a trace
  std::int64_t dominant_symbol_ns = 0;      ///< its time on the path
  std::optional<double> dominant_fraction;  ///< nullopt where the older tool divides by 0 and dies
  std::int64_t threshold_ns = 0;            ///< longest gap of a cross edge
  std::uint64_t serial_edges = 0, cross_edges = 0;
  std::uint64_t unprocessed = 0;  ///< dispatches in or behind cycles
};

/// `nodes` sorted by (start, scan order). O(n log n). Fails with `interrupted` or `limit` above 2^31 nodes.
Result<LegacyPath> legacy_critical_path(std::span<const LegacyNode> nodes,
                                        const Monitor& monitor = {});

/// The same for all dispatches of a trace; queues of different processes are different queues. dominant_symbol is the
/// lowest kernel index of that name.
Result<LegacyPath> legacy_critical_path(const Trace& trace, const Monitor& monitor = {});

}  // namespace rpl
