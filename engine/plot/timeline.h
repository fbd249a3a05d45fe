// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "engine/graph/critical_path.h"
#include "engine/graph/graph.h"

/// What ran when, cut into cells: the scene that the terminal and SVG timelines draw.
namespace rpl {

enum class TimelineBy { stream, queue, agent };

struct TimelineOptions {
  std::optional<std::int64_t> from_ns, to_ns;  ///< as recorded; the graph's span without them
  std::size_t cells = 60;
  std::size_t rows = 8;  ///< the busiest so many
  TimelineBy by = TimelineBy::stream;
  std::vector<std::uint32_t> only;  ///< these streams, queues or agents; empty: all
};

struct TimelineRow {
  std::uint32_t entity =
      kNone;  ///< index of the stream, queue or agent; kNone: operations that name none
  std::uint64_t operations = 0;  ///< that touch the window
  std::int64_t busy_ns = 0;      ///< union of its operations within the window
  std::vector<double> busy;      ///< of each cell, 0 to 1
  std::vector<bool> on_path;     ///< cells in which an operation of the critical path runs
};

struct Timeline {
  std::int64_t from_ns = 0, to_ns = 0;
  std::vector<TimelineRow> rows;  ///< busiest first
  std::size_t hidden_rows = 0;    ///< that ran something in the window and found no room
  std::uint64_t operations = 0;   ///< that touch the window, in all rows
  std::int64_t busy_ns = 0;       ///< while any of them runs
  /// What the critical path did most in each cell; empty without a path.
  std::vector<std::optional<SegmentKind>> path;
};

/// Linear in the operations. `path` may be null. Fails with `usage` for a window that is empty or ends before it begins, with `interrupted`.
Result<Timeline> build_timeline(const Graph& graph, const CriticalPath* path,
                                const TimelineOptions& options);

/// "s3", "q1", "a0": how a row's entity is called; "-" for kNone.
std::string timeline_row_id(TimelineBy by, std::uint32_t entity);

/// The stream, queue or agent of an operation.
std::uint32_t timeline_entity(const Graph& graph, NodeId operation, TimelineBy by);

/// Visits the operations that touch [from, to) in the order of their starts, dispatches and copies together.
class OperationsInWindow {
 public:
  /// `first_dispatch`, `first_copy`: none before them touches it; kNoNode: not known.
  OperationsInWindow(const Graph& graph, std::int64_t from_ns, std::int64_t to_ns,
                     NodeId first_dispatch = kNoNode, NodeId first_copy = kNoNode);
  /// kNoNode at the end.
  NodeId next();

 private:
  [[nodiscard]] NodeId earliest();

  const Graph& graph_;
  std::int64_t from_ns_, to_ns_;
  NodeId dispatch_ = 0, copy_;
};

/// Round times (1, 2 or 5 times a power of ten, from `origin_ns`) within [from, to], at most `most` of them, at least one where
/// the window is not empty.
std::vector<std::int64_t> round_ticks(std::int64_t from_ns, std::int64_t to_ns,
                                      std::int64_t origin_ns, std::size_t most);

}  // namespace rpl
