// SPDX-License-Identifier: MIT
#include "shell/commands/report_pictures.h"

#include <fmt/format.h>

#include "engine/att/lines.h"
#include "engine/att/svg.h"
#include "engine/export/svg_roofline.h"
#include "shell/commands/att_view.h"
#include "shell/commands/opened.h"
#include "shell/commands/pictures.h"
#include "shell/commands/roofline_view.h"
#include "shell/render/names.h"

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

Status draw_report_timeline(Context& context, ReportPart& into) {
  const Loaded now = TRY(loaded(context));
  const auto [first_ns, last_ns] = now.trace->extent_ns();
  if (nothing_ran(*now.trace) || first_ns == last_ns) return {};
  TimelinePicture picture;
  picture.rows = 12;
  const auto append = [&](std::string_view text) -> Status {
    into.picture += text;
    return {};
  };
  const PictureNotes said = TRY(draw_timeline(context, now, picture, append));
  into.caption =
      fmt::format("Timeline: one row a stream, busiest first; the critical path is outlined. {}.",
                  said.written);
  return {};
}

Status draw_report_roofline(Context& context, ReportPart& into) {
  constexpr std::size_t kPoints = 26;
  const RooflineView view = TRY(roofline_view(context, {}));
  if (view.kernels.empty()) return {};
  const RooflinePlot plot = roofline_plot(view.kernels, view.names, arch::Level::hbm, view.ceilings,
                                          view.gpu.title(), kPoints, PlotRoofs::all);
  into.picture = svg_roofline(plot, report_plot());
  into.caption = fmt::format("Roofline of memory (HBM) on {}.", view.gpu.title());
  return {};
}

Status draw_report_memory(Context& context, ReportPart& into) {
  const RooflineView view = TRY(roofline_view(context, {}));
  if (view.kernels.empty()) return {};
  into.picture = svg_memory(
      memory_cascade(view.kernels.front(), view.names.front(), view.gpu.title()), report_plot());
  into.caption =
      fmt::format("Data of {}, the kernel with the most time: bytes and hit rates by level.",
                  short_kernel(view.names.front()));
  return {};
}

Status draw_report_cycles(Context& context, ReportPart& into) {
  const AttEntry entry = TRY(thread_trace_named(context, into.subject));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.kind == att::Kind::samples) return {};
  const att::Summary summary = att::summarise(trace);
  std::vector<std::pair<std::string, double>> causes;
  for (const auto& [name, cycles] : cycle_parts(summary)) {
    causes.emplace_back(name, summary.of_cycles_pct(cycles).value_or(0));
  }
  if (!causes.empty()) into.picture = att::cycle_bars_svg("Cycles of the traced waves", causes);
  const att::StateStrip strip = att::state_strip(trace.states, kStripBins);
  if (!strip.bins.empty()) into.picture += att::state_strip_svg("States of the waves", strip);
  into.caption = "Where the cycles of the traced waves went, and what the waves did over time.";
  return {};
}

Status draw_report_heat(Context& context, ReportPart& into) {
  const AttEntry entry = TRY(thread_trace_named(context, into.subject));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (!trace.code.timed) return {};
  double whole = 0;
  for (const att::Instruction& row : trace.code.rows) whole += static_cast<double>(row.latency);
  SourceLines sources(trace);
  std::vector<att::HeatRow> rows;
  for (const att::LineCost& line : att::lines_of(trace.code, att::Inlining::leaf)) {
    if (rows.size() == kHeatRows || line.cost.latency == 0) break;
    const auto cycles = static_cast<double>(line.cost.latency);
    const std::string place =
        line.place.file.empty()
            ? "(no source)"
            : fmt::format("{}:{}", att::file_name_of(line.place.file), line.place.line);
    rows.push_back({place, sources.text(line.place), att::percent(cycles, whole).value_or(0),
                    att::percent(static_cast<double>(line.cost.stall), cycles).value_or(0)});
  }
  if (rows.empty()) return {};
  into.picture = att::stall_heat_svg("Cycles by source line", rows);
  into.caption = "Share of all cycles by source line; the dark part of a bar is stall.";
  return {};
}

}  // namespace rpl
