// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include "engine/graph/critical_path.h"
#include "engine/metrics/roofline/cascade.h"
#include "engine/metrics/roofline/plot.h"
#include "engine/plot/timeline.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

/// A step line of the best so far by evaluation, ns; `other`, when not empty, is drawn beside it with another mark.
struct ConvergenceDrawing {
  std::vector<double> best_ns;
  std::string name;
  std::vector<double> other_ns = {};
  std::string other_name = {};
};

/// Eight rows of cells: time on a logarithmic axis, evaluations to the right. Empty below two evaluations.
std::string convergence_text(const ConvergenceDrawing& drawing, const Canvas& canvas);

/// The way of the data from the CUs to memory, from top to bottom: a box for each cache with its hit rate, between them what
/// passed, how fast, and the share of the peak. Fits 72 columns; wider canvases get longer bars.
std::string memory_text(const MemoryCascade& cascade, const Canvas& canvas);

/// One bead of the critical path: a run of operations of the same name, a gap, or what lies between two beads and is too small
/// to be shown.
struct Bead {
  enum class Kind { operations, gap, rest };
  Kind kind = Kind::operations;
  std::string name;  ///< of the operations, or "launch", "host", "idle" of a gap
  std::uint64_t operations = 0;
  std::int64_t ns = 0;
  bool inferred = false;  ///< it hangs on the bead before it by an inferred edge only
};

/// "gemm x12 1.200 ms => gap 40 us (host) ~> softmax 300 us": `=>` after evidence, `~>` where time alone says so. Wrapped to the canvas.
std::string ribbon_text(const std::vector<Bead>& beads, const Canvas& canvas);

/// The path as at most `most` beads, first to last: the longest runs and gaps stay, everything between two of them becomes one
/// `rest`. Linear in the path, which is walked twice. Fails with `interrupted`.
Result<std::vector<Bead>> path_beads(const Graph& graph, std::size_t most);

/// The axes with roofs and lettered points, as wide as the canvas and 16 to 24 lines high. Kernels that computed nothing have no place
/// on logarithmic axes; a line below names them.
std::string roofline_text(const RooflinePlot& plot, const Canvas& canvas);

/// One or two lines for each point: letter, name, intensity, rates, share of the roof, bound.
std::string roofline_legend(const RooflinePlot& plot, const Canvas& canvas);

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
