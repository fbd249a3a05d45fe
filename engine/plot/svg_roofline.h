// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/metrics/roofline/cascade.h"
#include "engine/metrics/roofline/plot.h"
#include "engine/plot/paint.h"

namespace rpl {

struct SvgPlotOptions {
  std::int64_t width = 900;  ///< of the picture, in pixels; the height follows
  NameShortener shorten;     ///< kernel names in legends
};

/// Draws a roofline: logarithmic axes, every roof with its name, lettered points in their kernels' colours, a table below with the numbers
/// of each point; what has no place on the axes stands in the table only. One self-contained SVG 1.1 file without scripts; equal
/// input gives equal bytes.
std::string svg_roofline(const RooflinePlot& plot, const SvgPlotOptions& options);

/// Draws the way of a kernel's data as boxes with hit rates and arrows as wide as their share of the level's peak. As above.
std::string svg_memory(const MemoryCascade& cascade, const SvgPlotOptions& options);

}  // namespace rpl
