// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "engine/plot/timeline.h"
#include "shell/core/terminal/canvas.h"

namespace rpl {

inline constexpr std::size_t kTimelineLabel = 12;  ///< columns left of the cells
inline constexpr std::size_t kTimelineShare = 9;   ///< columns right of them

/// How many cells of a timeline fit on `canvas`.
std::size_t timeline_cells(const Canvas& canvas);

struct TimelineTextOptions {
  TimelineBy by = TimelineBy::stream;
  std::int64_t origin_ns = 0;                            ///< times on the axis count from here
  std::function<std::string(const TimelineRow&)> label;  ///< instead of the id; may be empty
};

/// One row per stream with a cell's filling for how busy it was, marks below it where the critical path runs, a row of letters for
/// what the path did (k kernel, c copy, l launch, h host, . idle), and a time axis. The timeline must have timeline_cells() cells.
std::string timeline_text(const Timeline& timeline, const Canvas& canvas,
                          const TimelineTextOptions& options);

}  // namespace rpl
