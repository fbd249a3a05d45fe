// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/metrics/roofline/plot.h"
#include "shell/core/terminal/canvas.h"

namespace rpl {

/// The axes with roofs and lettered points, as wide as the canvas and 16 to 24 lines high. Kernels that computed nothing have no place
/// on logarithmic axes; a line below names them.
std::string roofline_text(const RooflinePlot& plot, const Canvas& canvas);

/// One or two lines for each point: letter, name, intensity, rates, share of the roof, bound.
std::string roofline_legend(const RooflinePlot& plot, const Canvas& canvas);

}  // namespace rpl
