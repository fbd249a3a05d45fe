// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/plot/paint.h"
#include "engine/plot/timeline.h"

namespace rpl {

struct SvgOptions {
  std::string title;
  std::int64_t width = 1200;  ///< of the picture, in pixels
  NameShortener shorten;
  std::size_t legend = 8;  ///< kernels explained below the picture
};

/// Draws `timeline` (for its rows and window) with every operation in its place and colour; operations closer than half a pixel become
/// one block that says how many it holds. The critical path is outlined, and drawn as a band of its own with its
/// segment kinds. One self-contained SVG 1.1 file; equal input gives equal bytes. Fails with `interrupted` or what `write` fails with.
Status write_svg_timeline(const Graph& graph, const CriticalPath* path, const Timeline& timeline,
                          TimelineBy by, const SvgOptions& options, const Writer& write);

}  // namespace rpl
