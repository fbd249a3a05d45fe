// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/encode.h"
#include "engine/plot/paint.h"
#include "engine/plot/timeline.h"
#include "shell/core/inputs/loaded.h"

/// Pictures of the open trace, for `export svg` and for reports.
namespace rpl {

struct TimelinePicture {
  std::string from, to, around;  ///< the window, as typed
  std::string by = "stream";
  std::int64_t rows = 32, width = 1200;
};

/// What a picture says beside itself.
struct PictureNotes {
  std::string written;             ///< "3 rows, 66 operations"
  std::vector<std::string> notes;  ///< what is not drawn, and why
};

/// Draws the timeline as SVG. Fails with what naming the window, the graph or `write` fails with.
Result<PictureNotes> draw_timeline(const Inputs& inputs, const Loaded& now,
                                   const TimelinePicture& picture, const SinkOf<XmlText>& write);

}  // namespace rpl
