// SPDX-License-Identifier: MIT
#include "shell/commands/report/report_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/att/analyse/lines.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/plot/paint.h"
#include "engine/plot/svg.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/commands/report/timeline_data.h"

namespace rpl {
namespace {

constexpr std::size_t kStripBins = 120;
constexpr std::size_t kRows = 12;
constexpr int kWidth = 900;

std::string name_in_legend(std::string_view name) {
  constexpr std::size_t kLegendWidth = 48;
  return elide_middle(short_kernel(name), kLegendWidth);
}

SvgPlotOptions report_plot() {
  SvgPlotOptions options;
  options.width = kWidth;
  options.shorten = name_in_legend;
  return options;
}

RooflineArgs of_kernel(const std::string& kernel) {
  RooflineArgs args;
  args.kernel = kernel;
  return args;
}

bool has_point(const RooflinePlot& plot) {
  for (const auto& point : plot.points) {
    if (point.placed()) return true;
  }
  return false;
}

}  // namespace

TimelineOptions figure_rows() {
  TimelineOptions out;
  out.cells = 1;
  out.rows = kRows;
  return out;
}

Result<std::optional<ReportFigure>> timeline_figure(const Inputs& inputs,
                                                    const PictureLinks& links) {
  const Loaded now = TRY(loaded(inputs));
  if (nothing_ran(*now.trace) || no_times(*now.trace)) return std::nullopt;
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_of(inputs, now));
  const TimelineOptions options = figure_rows();
  const Timeline timeline = TRY(build_timeline(*graph, nullptr, options));
  if (timeline.rows.empty()) return std::nullopt;
  const auto colors = colors_by_time(*graph);
  SvgOptions drawing;
  drawing.title = links.title;
  drawing.width = kWidth;
  drawing.shorten = name_in_legend;
  drawing.color = [&](std::uint32_t kernel) { return colors[kernel]; };
  drawing.link = [&](std::uint32_t kernel) { return links.to(now.trace->kernels()[kernel].id); };
  ReportFigure out{.anchor = "timeline", .title = "Timeline", .caption = {}, .picture = {}};
  TRY(write_svg_timeline(*graph, path.get(), timeline, options.by, drawing,
                         [&](const XmlText& text) -> Status {
                           out.picture += text;
                           return {};
                         }));
  TimelineData data;
  data.colors = colors;
  data.from_ns = timeline.from_ns;
  data.to_ns = timeline.to_ns;
  out.data = TRY(timeline_data(*graph, path.get(), timeline, data)).string();
  out.caption = fmt::format(
      "One row a stream, the busiest first{}; the black line at the foot of operations is the "
      "critical path, the last row what it spends its time on. At the right, how busy a stream is.",
      timeline.hidden_rows > 0
          ? fmt::format(" ({} less busy ones are not drawn)", timeline.hidden_rows)
          : "");
  return out;
}

Result<std::optional<ReportFigure>> roofline_figure(const Inputs& inputs, const PictureLinks& links,
                                                    const std::string& kernel) {
  constexpr std::size_t kPoints = 26;
  const RooflineView view = TRY(roofline_view(inputs, of_kernel(kernel)));
  if (view.kernels.empty()) return std::nullopt;
  const RooflinePlot plot = roofline_plot(view.kernels, view.names, arch::Level::hbm, view.ceilings,
                                          view.gpu.title(), kPoints, PlotRoofs::all);
  if (!has_point(plot)) return std::nullopt;
  SvgPlotOptions drawing = report_plot();
  const auto now = loaded(inputs);
  drawing.link = [&](std::string_view name) {
    if (!now) return std::string();
    for (const Kernel& one : now->trace->kernels()) {
      if (one.name == name || one.mangled == name) return links.to(one.id);
    }
    return std::string();
  };
  // As in the timeline, where there is one.
  std::vector<std::string_view> colors;
  if (now && !no_times(*now->trace)) colors = colors_by_time(*TRY(graph_of(inputs, *now)));
  drawing.color = [&](std::string_view name) {
    for (std::size_t i = 0; i < colors.size(); ++i) {
      const Kernel& one = now->trace->kernels()[i];
      if (one.name == name || one.mangled == name) return colors[i];
    }
    return kernel_color(name);
  };
  ReportFigure out{.anchor = "roofline", .title = "Roofline", .caption = {}, .picture = {}};
  out.picture = svg_roofline(plot, drawing);
  out.caption = fmt::format(
      "Roofline of memory (HBM) on {}: points below a roof are limited by it.", view.gpu.title());
  return out;
}

Result<std::optional<ReportFigure>> memory_figure(const Inputs& inputs, const std::string& kernel) {
  const RooflineView view = TRY(roofline_view(inputs, of_kernel(kernel)));
  const auto counted = [](const RooflinePoint& point) { return point.bytes.has_value(); };
  if (view.kernels.empty() || std::ranges::none_of(view.kernels.front().points, counted))
    return std::nullopt;
  ReportFigure out{.anchor = "memory-figure", .title = "Memory", .caption = {}, .picture = {}};
  out.picture = svg_memory(
      memory_cascade(view.kernels.front(), view.names.front(), view.gpu.title()), report_plot());
  out.caption =
      fmt::format("Data of {}: bytes and hit rates by level.", short_kernel(view.names.front()));
  return out;
}

Result<std::optional<ReportFigure>> cycles_figure(const Inputs& inputs, const AttEntry& entry) {
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.kind == att::Kind::samples) return std::nullopt;
  const auto facts = TRY(needed_wave_facts(inputs, entry, true));
  const att::Summary summary = att::summarise(trace, facts.get());
  ReportFigure out{
      .anchor = "cycles-figure" + entry->id,
      .title = "Waves",
      .caption = "Where the cycles of the traced waves went, and what the waves did over time.",
      .picture = {}};
  const auto causes = cycle_shares(summary);
  if (!causes.empty()) out.picture = att::cycle_bars_svg("Cycles of the traced waves", causes);
  const WaveStrips strips = wave_strips(trace, facts.get(), summary, kStripBins);
  if (!strips.states.bins.empty() || !strips.waves.waves.empty())
    out.picture += att::state_strip_svg("States of the waves", strips.states, strips.waves);
  if (out.picture.empty()) return std::nullopt;
  return out;
}

}  // namespace rpl
