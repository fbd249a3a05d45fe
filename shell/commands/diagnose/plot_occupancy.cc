// SPDX-License-Identifier: MIT
// plot occupancy: what limits the waves of a kernel, or of each kernel, as a picture.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/elide_apart.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/plot/svg.h"
#include "shell/commands/diagnose/occupancy_view.h"
#include "shell/core/command/registry.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/plot_output.h"

namespace rpl {
namespace {

struct PlotOccupancyArgs : OccupancyArgs, PlotOutputArgs {
  std::int64_t top = 20;
};

int occupancy_width(const PlotOccupancyArgs& args) {
  constexpr std::int64_t kUsual = 900, kWidest = 10000;
  return static_cast<int>(args.width > 0 ? std::min(args.width, kWidest) : kUsual);
}

OccupancyPicture picture_of(const OccupancySubject& subject) {
  OccupancyPicture picture{.title = "Occupancy: " + subject.title,
                           .subtitle = occupancy_line(subject),
                           .occupancy = *subject.occupancy,
                           .remarks = {}};
  if (grid_limits(subject)) picture.remarks.push_back(grid_text(subject));
  if (!subject.occupancy->steps.empty()) picture.remarks.emplace_back("To get more waves in:");
  for (const arch::Step& step : subject.occupancy->steps)
    picture.remarks.push_back(fmt::format("{} ({})", step.text, format_share(step.occupancy)));
  return picture;
}

OccupancyBar bar_of(const OccupancySubject& subject) {
  OccupancyBar bar;
  // The id is what a person types next.
  if (subject.id) bar.name = *subject.id + "  ";
  bar.name += subject.kernel.value_or("");
  if (!subject.occupancy) return bar;
  const arch::Occupancy& found = *subject.occupancy;
  bar.waves = static_cast<double>(found.waves) / found.compute_units;
  bar.slots = static_cast<double>(found.wave_slots) / found.compute_units;
  bar.grid_cap = subject.grid_cap;
  bar.limiter = found.limiter_text();
  if (!found.steps.empty()) bar.change = found.steps.front().change;
  return bar;
}

/// What stands in front of the name, by which names are told apart.
std::size_t id_size(const OccupancyBar& bar) {
  const std::size_t end = bar.name.find("  ");
  return end == std::string::npos ? 0 : end + 2;
}

/// "softmax_kernel  ######------  28 of 32*  sgprs: SGPR 112 -> 96".
std::string kernels_text(const std::vector<OccupancyBar>& bars, const Canvas& canvas) {
  constexpr std::size_t kWaves = 10;
  std::size_t names = 6;
  std::size_t id = 0;
  std::vector<std::string> whole;
  for (const OccupancyBar& bar : bars) {
    names = std::max(names, bar.name.size());
    id = std::max(id, id_size(bar));
    whole.push_back(bar.name.substr(id_size(bar)));
  }
  names = std::min(names, canvas.width * 3 / 8);
  std::vector<std::string> shown = elide_apart(whole, names > id ? names - id : names);
  for (std::size_t at = 0; at < bars.size(); ++at)
    shown[at] = bars[at].name.substr(0, id_size(bars[at])) + shown[at];
  const std::size_t length = std::clamp<std::size_t>(canvas.width / 8, 8, 40);
  const std::size_t taken = names + length + kWaves + 6,
                    rest = canvas.width > taken + 10 ? canvas.width - taken : 10;
  std::string text = fmt::format("{:<{}}  {:<{}}  {:<{}}  limited by\n", "kernel", names, "",
                                 length, "waves", kWaves);
  bool marked = false;
  for (std::size_t at = 0; at < bars.size(); ++at) {
    const OccupancyBar& one = bars[at];
    std::string line = fitted(shown[at], names) + "  ";
    if (one.slots > 0) {
      const bool grid = one.grid_cap && *one.grid_cap < one.waves / one.slots;
      marked = marked || grid;
      const std::string change =
          one.change.empty() ? one.limiter : fmt::format("{}: {}", one.limiter, one.change);
      line += fmt::format("{}  {:<{}}  {}", bar(one.waves / one.slots, length, canvas.unicode),
                          fmt::format("{:g} of {:g}{}", one.waves, one.slots, grid ? "*" : ""),
                          kWaves, elide_middle(change, rest));
    } else {
      line += "unknown";
    }
    text += line + "\n";
  }
  if (marked)
    text += "* the kernel's grid fills fewer slots of the device: launch more workgroups first\n";
  return text;
}

Result<Document> run_plot_occupancy(const PlotOccupancyArgs& args, Inputs inputs, Screen screen) {
  const OccupancyView view = TRY(occupancy_view(inputs, args));
  Document out;
  if (view.one) {
    const OccupancySubject& subject = view.subjects[0];
    TRY(show_or_write(out, args, subject.occupancy->limits.size(), occupancy_text(subject),
                      [&] { return svg_occupancy(picture_of(subject), occupancy_width(args)); }));
  } else {
    std::vector<OccupancyBar> bars;
    for (const OccupancySubject& subject : view.subjects) bars.push_back(bar_of(subject));
    const std::size_t all = bars.size();
    if (all > 0 && view.subjects[0].id) out.next = {"plot occupancy " + *view.subjects[0].id};
    if (args.top > 0) bars.resize(std::min(all, static_cast<std::size_t>(args.top)));
    std::string text = bars.empty() ? "there is nothing to draw: no kernel ran\n"
                                    : kernels_text(bars, picture_canvas(screen, args));
    if (bars.size() < all)
      text += fmt::format("({} of {} kernels; --top 0 shows all)\n", bars.size(), all);
    TRY(show_or_write(out, args, bars.size(), text, [&] {
      return svg_occupancy_of_kernels("Occupancy of kernels", bars, occupancy_width(args));
    }));
  }
  out.notes = view.notes;
  out.provenance = Provenance::estimated;
  out.next.insert(out.next.end(), {"occupancy", "info arch"});
  return out;
}

}  // namespace

void add_plot_occupancy_commands(Registry& registry) {
  using Args = PlotOccupancyArgs;
  std::vector<Bound> params = with_plot_output<Args>(with_occupancy<Args>({}));
  params.push_back(
      option("top", &Args::top, "at most so many kernels; 0 draws all").in(at_least(0)));
  add(registry,
      command<Args>(
          Command{
              .path = "plot occupancy",
              .does = kReads,
              .chapter = Class::exporting,
              .summary = "Draw how many waves fit on a compute unit and what limits them.",
              .help = "A bar for each kernel of the trace, or with a kernel the limit of each "
                      "resource. Options and their meaning are those of `occupancy`, which has the "
                      "numbers.",
              .fields = picture_fields("kernels, or resources of one, in the picture"),
              .scalar = "points",
              .examples = {"plot occupancy TRACE",
                           "plot occupancy --arch gfx942 --vgpr 132 --lds 33000 --workgroup 256"}},
          std::move(params), run_plot_occupancy));
}

}  // namespace rpl
