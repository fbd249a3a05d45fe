// SPDX-License-Identifier: MIT
// plot roofline, plot memory: pictures of what counters say, in the terminal and as SVG.
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/plot/svg.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/plot_output.h"
#include "shell/render/pictures/text_pictures.h"

namespace rpl {
namespace {

struct PlotArgs : RooflineArgs, PlotOutputArgs {
  std::string level = "hbm", roofs = "all";
  std::int64_t top = 26;
};

SvgPlotOptions svg_options(const PlotArgs& args) {
  constexpr std::size_t kLegendName = 48;
  SvgPlotOptions options;
  if (args.width > 0) options.width = args.width;
  options.shorten = [](std::string_view name) {
    return elide_middle(short_kernel(name), kLegendName);
  };
  return options;
}

Result<Document> nothing_to_plot(const RooflineView& view) {
  Document out;
  TRY(put_picture(out, {}, "there is nothing to draw without counters", {}));
  put_points(out, 0);
  out.notes = view.notes;
  out.provenance = view.provenance;
  out.next = {"counters plan roofline"};
  return out;
}

Result<Document> run_plot_roofline(const PlotArgs& args, Inputs inputs, Screen screen) {
  const RooflineView view = TRY(roofline_view(inputs, args));
  if (view.kernels.empty()) return nothing_to_plot(view);
  arch::Level level = arch::Level::hbm;
  for (const arch::Level each : arch::kLevels) {
    if (arch::to_string(each) == args.level) level = each;
  }
  const RooflinePlot plot =
      roofline_plot(view.kernels, view.names, level, view.ceilings, view.gpu.title(),
                    args.top > 0 ? static_cast<std::size_t>(args.top) : 26,
                    args.roofs == "one" ? PlotRoofs::one : PlotRoofs::all);
  const Canvas canvas = picture_canvas(screen, args);
  Document out;
  TRY(show_or_write(out, args, plot.points.size(),
                    roofline_text(plot, canvas) + "\n" + roofline_legend(plot, canvas),
                    [&] { return svg_roofline(plot, svg_options(args)); }));
  out.notes = view.notes;
  out.provenance = Provenance::estimated;
  out.next = {"roofline", "plot memory", "plot roofline -o roofline.svg"};
  return out;
}

Result<Document> run_plot_memory(const PlotArgs& args, Inputs inputs, Screen screen) {
  const RooflineView view = TRY(roofline_view(inputs, args));
  if (view.kernels.empty()) return nothing_to_plot(view);
  const MemoryCascade cascade =
      memory_cascade(view.kernels.front(), view.names.front(), view.gpu.title());
  Document out;
  TRY(show_or_write(out, args, cascade.stations.size(),
                    memory_text(cascade, picture_canvas(screen, args)),
                    [&] { return svg_memory(cascade, svg_options(args)); }));
  out.notes = view.notes;
  if (view.kernels.size() > 1) {
    out.notes.push_back(fmt::format("{} more kernels have counters: 'plot memory KERNEL'",
                                    view.kernels.size() - 1));
  }
  out.provenance = Provenance::estimated;
  out.next = {"counters metrics", "roofline", "plot memory -o memory.svg"};
  return out;
}

constexpr Label kPlotPoints = "kernels in the picture, or caches of the cascade";

template <class T>
Bound plot_option(Label name, T PlotArgs::* member, Label help) {
  return option(name, member, help);
}

}  // namespace

void add_plot_commands(Registry& registry) {
  const auto kernel = [](Label help) {
    return arg("kernel", static_cast<std::string PlotArgs::*>(&PlotArgs::kernel), help)
        .completes(Complete::kernel);
  };
  add(registry,
      command<PlotArgs>(
          Command{
              .path = "plot roofline",
              .does = kReads,
              .chapter = Class::exporting,
              .summary = "Draw kernels under the roofs of memory and units.",
              .help = "Logarithmic axes: arithmetic intensity to the right, operations a second "
                      "upwards. The level's bandwidth is the solid slope, other levels are dotted, "
                      "flat roofs are peaks of units. Letters are kernels; the table below names "
                      "them. `roofline` has the numbers.",
              .fields = picture_fields(kPlotPoints),
              .scalar = "points",
              .examples = {"plot roofline TRACE", "plot roofline TRACE --level l2 --roofs one"}},
          with_roofline<PlotArgs>(with_plot_output<PlotArgs>(
              {kernel("kernels to draw; all without"),
               plot_option("level", &PlotArgs::level, "memory level of the points")
                   .one_of({"hbm", "l2", "vl1d", "lds"}),
               plot_option("roofs", &PlotArgs::roofs, "bandwidth of this level, or of all")
                   .one_of({"one", "all"}),
               plot_option("top", &PlotArgs::top, "at most so many kernels, 26 at most")})),
          run_plot_roofline));
  add(registry,
      command<PlotArgs>(
          Command{.path = "plot memory",
                  .does = kReads,
                  .chapter = Class::exporting,
                  .summary = "Draw a kernel's way through caches to memory.",
                  .help = "From the CUs through vector L1 and L2 to the fabric: what passed each "
                          "stretch, how fast, as a share of its bandwidth, and the hit rate of "
                          "each cache. Without a name it is the kernel with most time.",
                  .fields = picture_fields(kPlotPoints),
                  .scalar = "points",
                  .examples = {"plot memory TRACE"}},
          with_roofline<PlotArgs>(with_plot_output<PlotArgs>({kernel("kernel to draw")})),
          run_plot_memory));
}

}  // namespace rpl
