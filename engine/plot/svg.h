// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "engine/arch/occupancy.h"
#include "engine/att/analyse/summary.h"
#include "engine/base/encode.h"
#include "engine/metrics/roofline/cascade.h"
#include "engine/metrics/roofline/plot.h"
#include "engine/plot/paint.h"
#include "engine/plot/timeline.h"

/// Views of a thread trace as SVG documents: data in, text out. They are self-contained and scale with the page (viewBox).
namespace rpl::att {

/// One line of source or one instruction beside its heat.
struct HeatRow {
  std::string place;       ///< "rowsum.hip:19", "0x1838"
  std::string text;        ///< source or disassembly
  double share_pct = 0;    ///< of all cycles
  double stalled_pct = 0;  ///< of these cycles, what was stall
};

/// A bar for each row: its length the share of all cycles, the dark part of it stall.
XmlText stall_heat_svg(const std::string& title, const std::vector<HeatRow>& rows, int width = 900);

/// Shares of the wave states over time, stacked; below, waves in flight. An empty part is left out.
XmlText state_strip_svg(const std::string& title, const StateStrip& strip,
                        const OccupancyStrip& waves, int width = 900);

/// Where the cycles of the waves went, as one bar for each cause, largest first.
XmlText cycle_bars_svg(const std::string& title,
                       const std::vector<std::pair<std::string, double>>& pct_by_cause,
                       int width = 900);

}  // namespace rpl::att

namespace rpl {

/// The best so far of a search, as a step line; equal input gives equal bytes.
struct ConvergenceLine {
  std::string name;
  std::vector<double> best_ns;  ///< by evaluation; 0 before the first success
};

/// Lines over the number of evaluations, time on a logarithmic axis, as a self-contained SVG document without scripts.
XmlText svg_convergence(const std::string& title, const std::vector<ConvergenceLine>& lines,
                        int width = 900);

}  // namespace rpl

/// Occupancy as SVG documents: self-contained, without scripts; equal input gives equal bytes.
namespace rpl {

/// What each resource of a compute unit allows one kernel.
struct OccupancyPicture {
  std::string title;     ///< the kernel and the GPU
  std::string subtitle;  ///< "4 of 32 waves on a CU: …"
  arch::Occupancy occupancy;
  std::vector<std::string> remarks;  ///< below: what the grid fills, changes that let more waves in
};

/// A bar for each resource, as long as the workgroups that it alone would let in; the limiting ones are red.
XmlText svg_occupancy(const OccupancyPicture& picture, int width = 900);

/// One kernel among several.
struct OccupancyBar {
  std::string name;
  double waves = 0, slots = 0;     ///< of a compute unit; slots 0: occupancy is unknown
  std::optional<double> grid_cap;  ///< share of the device's slots that its grid fills at most
  std::string limiter, change;     ///< "vgprs", "VGPR 132 -> 128"
};

/// A bar for each kernel: waves of the wave slots; a mark where its grid ends before.
XmlText svg_occupancy_of_kernels(const std::string& title, const std::vector<OccupancyBar>& kernels,
                                 int width = 900);

struct SvgPlotOptions {
  std::int64_t width = 900;  ///< of the picture, in pixels; the height follows
  NameShortener shorten;     ///< kernel names in legends
  /// Where the point of a kernel leads ("#kernel-k1"; "": nowhere), and its colour; kernel_color() without it.
  std::function<std::string(std::string_view name)> link = {};
  std::function<std::string_view(std::string_view name)> color = {};
};

/// Draws a roofline: logarithmic axes, every roof with its name, lettered points in their kernels' colours, a table below with the numbers
/// of each point; what has no place on the axes stands in the table only. One self-contained SVG 1.1 file without scripts; equal
/// input gives equal bytes.
XmlText svg_roofline(const RooflinePlot& plot, const SvgPlotOptions& options);

/// Draws the way of a kernel's data as boxes with hit rates and arrows as wide as their share of the level's peak. As above.
XmlText svg_memory(const MemoryCascade& cascade, const SvgPlotOptions& options);

struct SvgOptions {
  std::string title;
  std::int64_t width = 1200;  ///< of the picture, in pixels
  NameShortener shorten;
  std::size_t legend = 8;  ///< kernels explained below the picture
  /// Of a kernel of the graph by its index: its colour (kernel_color() without it), and where its blocks lead ("#kernel-k1"; "": nowhere).
  std::function<std::string_view(std::uint32_t kernel)> color;
  std::function<std::string(std::uint32_t kernel)> link;
};

/// Draws `timeline` (for its rows and window) with every operation in its place and colour; operations closer than half a pixel become
/// one block that says how many it holds. The critical path is a line at the foot of its operations, and a band of its own with its
/// segment kinds. One self-contained SVG 1.1 file; equal input gives equal bytes. Fails with `interrupted` or what `write` fails with.
Status write_svg_timeline(const Graph& graph, const CriticalPath* path, const Timeline& timeline,
                          TimelineBy by, const SvgOptions& options, const SinkOf<XmlText>& write);

}  // namespace rpl
