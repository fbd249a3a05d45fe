// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shell/commands/trace/report_parts.h"

/// The pictures of a report. Each draws into a part, or nothing where there is nothing to draw.
namespace rpl {

Status draw_report_timeline(Context& context, ReportPart& into);
Status draw_report_roofline(Context& context, ReportPart& into);
/// The way of the data of the kernel with the most time.
Status draw_report_memory(Context& context, ReportPart& into);

/// Cycles by cause and the states of the waves over time, of the part's thread trace.
Status draw_report_cycles(Context& context, ReportPart& into);
/// Stall heat beside the source lines of the part's thread trace.
Status draw_report_heat(Context& context, ReportPart& into);

}  // namespace rpl
