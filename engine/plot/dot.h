// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "engine/base/encode.h"
#include "engine/graph/critical_path.h"
#include "engine/plot/paint.h"

namespace rpl {

struct DotOptions {
  std::optional<std::int64_t> from_ns,
      to_ns;                ///< operations that touch this window; the whole span without
  std::size_t limit = 500;  ///< at most so many operations, the earliest
  bool host = false;        ///< draw launching calls and host waits too
  const CriticalPath* path = nullptr;  ///< drawn bold; none when null
  NameShortener shorten;
};

struct DotSummary {
  std::uint64_t operations = 0;    ///< drawn
  std::uint64_t left_out = 0;      ///< in the window, but beyond the limit
  std::uint64_t edges = 0;         ///< drawn
  std::uint64_t from_outside = 0;  ///< edges into drawn nodes that come from nodes not drawn
};

/// Writes the dependency graph of a window in Graphviz's DOT language, one colour for each evidence class, inferred edges
/// dashed. Fails with `interrupted` or what `write` fails with.
Result<DotSummary> write_dot(const Graph& graph, const DotOptions& options,
                             const SinkOf<DotText>& write);

}  // namespace rpl
