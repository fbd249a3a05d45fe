// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/encode.h"
#include "engine/plot/paint.h"
#include "engine/plot/timeline.h"
#include "shell/commands/trace/report_parts.h"
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

// Each draws into a part of a report, or nothing where there is nothing to draw.
Status draw_report_timeline(const Inputs& inputs, ReportPart& into);
Status draw_report_roofline(const Inputs& inputs, ReportPart& into);
/// The way of the data of the kernel with the most time.
Status draw_report_memory(const Inputs& inputs, ReportPart& into);
/// Cycles by cause and the states of the waves over time, of the part's thread trace.
Status draw_report_cycles(const Inputs& inputs, ReportPart& into);
/// Stall heat beside the source lines of the part's thread trace.
Status draw_report_heat(const Inputs& inputs, ReportPart& into);

}  // namespace rpl
