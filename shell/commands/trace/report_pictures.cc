// SPDX-License-Identifier: MIT
#include "shell/commands/trace/pictures.h"

#include <fmt/format.h>

#include "engine/att/analyse/lines.h"
#include "engine/base/text.h"
#include "engine/plot/svg.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/commands/trace/report_parts.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

constexpr std::size_t kStripBins = 120;
constexpr std::size_t kHeatRows = 16;

SvgPlotOptions report_plot() {
  constexpr std::size_t kLegendWidth = 48;
  SvgPlotOptions options;
  options.shorten = [](std::string_view name) {
    return elide_middle(short_kernel(name), kLegendWidth);
  };
  return options;
}

}  // namespace

Status draw_report_timeline(const Inputs& inputs, ReportPart& into) {
  const Loaded now = TRY(loaded(inputs));
  const auto [first_ns, last_ns] = now.trace->extent_ns();
  if (nothing_ran(*now.trace) || first_ns == last_ns) return {};
  TimelinePicture picture;
  picture.rows = 12;
  const auto append = [&](const XmlText& text) -> Status {
    into.picture += text;
    return {};
  };
  const PictureNotes said = TRY(draw_timeline(inputs, now, picture, append));
  into.caption =
      fmt::format("Timeline: one row a stream, busiest first; the critical path is outlined. {}.",
                  said.written);
  return {};
}

Status draw_report_roofline(const Inputs& inputs, ReportPart& into) {
  constexpr std::size_t kPoints = 26;
  const RooflineView view = TRY(roofline_view(inputs, {}));
  if (view.kernels.empty()) return {};
  const RooflinePlot plot = roofline_plot(view.kernels, view.names, arch::Level::hbm, view.ceilings,
                                          view.gpu.title(), kPoints, PlotRoofs::all);
  into.picture = svg_roofline(plot, report_plot());
  into.caption = fmt::format("Roofline of memory (HBM) on {}.", view.gpu.title());
  return {};
}

Status draw_report_memory(const Inputs& inputs, ReportPart& into) {
  const RooflineView view = TRY(roofline_view(inputs, {}));
  if (view.kernels.empty()) return {};
  into.picture = svg_memory(
      memory_cascade(view.kernels.front(), view.names.front(), view.gpu.title()), report_plot());
  into.caption =
      fmt::format("Data of {}, the kernel with the most time: bytes and hit rates by level.",
                  short_kernel(view.names.front()));
  return {};
}

Status draw_report_cycles(const Inputs& inputs, ReportPart& into) {
  const AttEntry entry = TRY(thread_trace_named(inputs, into.subject));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.kind == att::Kind::samples) return {};
  const auto facts = TRY(needed_wave_facts(inputs, entry, true));
  const att::Summary summary = att::summarise(trace, facts.get());
  const auto causes = cycle_shares(summary);
  if (!causes.empty()) into.picture = att::cycle_bars_svg("Cycles of the traced waves", causes);
  const WaveStrips strips = wave_strips(trace, facts.get(), summary, kStripBins);
  if (!strips.states.bins.empty() || !strips.waves.waves.empty())
    into.picture += att::state_strip_svg("States of the waves", strips.states, strips.waves);
  into.caption = "Where the cycles of the traced waves went, and what the waves did over time.";
  return {};
}

Status draw_report_heat(const Inputs& inputs, ReportPart& into) {
  const AttEntry entry = TRY(thread_trace_named(inputs, into.subject));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (!trace.code.timed) return {};
  const auto rows = line_heat(trace, att::lines_of(trace.code, att::Inlining::leaf), kHeatRows);
  if (rows.empty()) return {};
  into.picture = att::stall_heat_svg("Cycles by source line", rows);
  into.caption = "Share of all cycles by source line; the dark part of a bar is stall.";
  return {};
}

}  // namespace rpl
