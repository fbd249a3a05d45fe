// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/plot/timeline.h"

namespace rpl {

/// What build_timeline() needs, added up once over equal bins of a window, so that each picture takes time for its cells alone: for faces that zoom and
/// pan. Shares are exact to a bin at each end of a cell. At most 64 MiB.
class TimelineIndex {
 public:
  /// Of [from, to), as recorded. `path` may be null. `coarser`, which covers it, saves looking at operations outside and at the path's segments; null: the
  /// whole graph is read. Linear in the operations of the window. Fails with interrupted.
  static Result<std::shared_ptr<const TimelineIndex>> build(const Graph& graph,
                                                            const CriticalPath* path, TimelineBy by,
                                                            std::int64_t from_ns,
                                                            std::int64_t to_ns,
                                                            const TimelineIndex* coarser);

  /// Whether a picture of the window with so many cells has a bin or more for each.
  [[nodiscard]] bool serves(TimelineBy by, std::int64_t from_ns, std::int64_t to_ns,
                            std::size_t cells) const;
  [[nodiscard]] bool covers(TimelineBy by, std::int64_t from_ns, std::int64_t to_ns) const {
    return by == by_ && from_ns >= from_ns_ && to_ns <= to_ns_;
  }
  /// The picture; `options` has a window that it serves. Operations are counted where they begin.
  [[nodiscard]] Timeline picture(const TimelineOptions& options) const;
  /// How long a bin is.
  [[nodiscard]] double bin_ns() const;

 private:
  /// Sums up to the beginning of each bin.
  struct Row {
    std::uint32_t entity = kNone;
    std::vector<std::int64_t> busy_ns;
    std::vector<std::uint32_t> operations, on_path;
  };
  class Filler;

  [[nodiscard]] double position(std::int64_t ns) const;
  template <class Sums>
  [[nodiscard]] double sum(const Sums& sums, double from, double to) const;
  /// What the path did at a time at which none of its operations ran.
  [[nodiscard]] SegmentKind gap_kind_at(std::int64_t ns) const;
  [[nodiscard]] NodeId first_from(const std::vector<NodeId> TimelineIndex::* firsts,
                                  std::int64_t ns) const;

  TimelineBy by_ = TimelineBy::stream;
  std::int64_t from_ns_ = 0, to_ns_ = 0;
  std::size_t bins_ = 0;
  std::vector<Row> rows_;
  std::vector<std::int64_t> busy_ns_;
  std::array<std::vector<std::int64_t>, kSegmentKinds> path_ns_;  ///< empty without a path
  std::vector<NodeId> first_dispatch_, first_copy_;  ///< that touch each bin; kNoNode: none
};

}  // namespace rpl
