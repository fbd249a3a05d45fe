// SPDX-License-Identifier: MIT
// plot stalls, plot cycles, plot states: pictures of a thread trace, in the terminal and as SVG.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/plot/svg.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/registry.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/plot_output.h"

namespace rpl {
namespace {

struct PlotAttArgs : PlotOutputArgs {
  std::string att, by = "line", inlining = "leaf";
  std::int64_t top = 20;
};

/// "Stalls by source line: rowsum".
std::string picture_title(std::string_view what, const att::ThreadTrace& trace) {
  constexpr std::size_t kLongest = 60;
  const std::string kernel = trace.kernel();
  return kernel.empty() ? std::string(what)
                        : fmt::format("{}: {}", what, elide_middle(short_kernel(kernel), kLongest));
}

int picture_width(const PlotAttArgs& args) {
  constexpr std::int64_t kUsual = 900, kNarrowest = 480, kWidest = 10000;
  return static_cast<int>(args.width > 0 ? std::clamp(args.width, kNarrowest, kWidest) : kUsual);
}

std::size_t rows_wanted(const PlotAttArgs& args) {
  constexpr std::size_t kAll = 10000;
  return args.top > 0 ? std::min(static_cast<std::size_t>(args.top), kAll) : kAll;
}

void add_notes(const att::ThreadTrace& trace, const att::WaveFacts* facts, Document& out) {
  out.notes = trace.notes;
  if (facts) out.notes.insert(out.notes.end(), facts->notes.begin(), facts->notes.end());
}

Result<Document> run_plot_stalls(const PlotAttArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const Canvas canvas = picture_canvas(screen, args);
  const HeatScale scale(trace.code);
  const std::size_t top = rows_wanted(args);
  std::string text = one_line(entry) + "\n";
  std::vector<att::HeatRow> rows;
  std::size_t all = 0;
  if (args.by == "inst") {
    const auto order = insts_order(trace.code, static_cast<std::int64_t>(top));
    text += insts_text(trace, order, true, waited_for(trace, nullptr), scale, canvas);
    rows = inst_heat(trace, top);
    all = static_cast<std::size_t>(
        std::ranges::count(trace.code.rows, false, &att::Instruction::label));
  } else {
    auto lines = att::lines_of(trace.code, inlining_of(args.inlining));
    rows = line_heat(trace, lines, top);
    all = lines.size();
    lines.resize(rows.size());
    SourceLines sources(trace);
    text += lines_text(lines, scale, sources, args.inlining == "caller" ? "inlines" : "inlined in",
                       canvas);
  }
  if (rows.size() < all && rows.size() == top)
    text += fmt::format("({} of {}; --top 0 draws all)\n", rows.size(), all);
  Document out;
  const std::string_view what =
      args.by == "inst" ? "Stalls by instruction" : "Stalls by source line";
  TRY(show_or_write(out, args, rows.size(), text, [&] {
    return att::stall_heat_svg(picture_title(what, trace), rows, picture_width(args));
  }));
  add_notes(trace, nullptr, out);
  out.provenance = provenance_of(trace);
  out.next = {"att lines", "att insts", "plot cycles"};
  return out;
}

Result<Document> run_plot_cycles(const PlotAttArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const Canvas canvas = picture_canvas(screen, args);
  const auto facts = TRY(needed_wave_facts(inputs, entry));
  const att::Summary summary = att::summarise(trace, facts.get());
  const bool samples = trace.kind == att::Kind::samples;
  const auto parts = samples ? sample_shares(trace.code) : cycle_shares(summary);
  Document out;
  const std::string bars = samples ? sample_bars(trace.code, canvas)
                                   : "coverage: " + coverage_text(summary.coverage) + "\n\n" +
                                         cycle_bars(summary, canvas);
  TRY(show_or_write(out, args, parts.size(), one_line(entry) + "\n" + bars, [&] {
    return att::cycle_bars_svg(
        picture_title(samples ? "Samples by reason" : "Cycles by cause", trace), parts,
        picture_width(args));
  }));
  add_notes(trace, facts.get(), out);
  out.provenance = provenance_of(trace);
  out.next = {"att summary", "plot stalls", "plot states"};
  return out;
}

Result<Document> run_plot_states(const PlotAttArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const auto facts = TRY(needed_wave_facts(inputs, entry, true));
  const att::Summary summary = att::summarise(trace, facts.get());
  constexpr std::size_t kBins = 240;
  const WaveStrips strips = wave_strips(trace, facts.get(), summary, kBins);
  if (strips.states.bins.empty() && strips.waves.waves.empty()) {
    return fail(Errc::not_found, fmt::format("{} says nothing of waves over time", entry->id),
                "open the decoded folder: filenames.json, occupancy.json and the wave files");
  }
  Document out;
  const std::size_t points =
      strips.states.bins.empty() ? strips.waves.waves.size() : strips.states.bins.size();
  TRY(show_or_write(out, args, points,
                    one_line(entry) + "\n" +
                        state_strip_text(trace, facts.get(), summary, picture_canvas(screen, args)),
                    [&] {
                      return att::state_strip_svg(picture_title("States of the waves", trace),
                                                  strips.states, strips.waves, picture_width(args));
                    }));
  add_notes(trace, facts.get(), out);
  if (!summary.states_from.empty() && trace.states.empty())
    out.notes.push_back(
        fmt::format("wave states are from the {}, for lack of wstates files", summary.states_from));
  out.provenance = provenance_of(trace);
  out.next = {"att summary", "plot cycles"};
  return out;
}

Bound trace_argument() {
  return arg("att", &PlotAttArgs::att, "thread trace: a folder or att1; the current one without")
      .completes(Complete::file);
}

}  // namespace

void add_plot_att_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "plot stalls",
                  .does = kReads,
                  .chapter = Class::exporting,
                  .summary = "Draw stall heat beside source lines or instructions.",
                  .help = "The hottest lines, each with its share of all cycles (of PC samples: of "
                          "all samples); the dark part of a bar is "
                          "stall. `att lines` and `att insts` have the numbers.",
                  .fields = picture_fields("lines or instructions in the picture"),
                  .scalar = "points",
                  .examples = {"plot stalls ATT", "plot stalls ATT --by inst --top 5"}},
          with_plot_output<PlotAttArgs>(
              {trace_argument(),
               option("by", &PlotAttArgs::by, "what a row is").one_of({"line", "inst"}),
               option("inlining", &PlotAttArgs::inlining, "which line of an inlined chain counts")
                   .one_of({"leaf", "caller", "all"}),
               option("top", &PlotAttArgs::top, "rows to draw; 0 draws all").in(at_least(0))}),
          run_plot_stalls));
  add(registry, command(Command{.path = "plot cycles",
                                .does = kReads,
                                .chapter = Class::exporting,
                                .summary = "Draw where the cycles of the traced waves went.",
                                .help = "One bar for each cause, the largest first; they add up to "
                                        "100 %. Of PC samples: issued, and why not.",
                                .fields = picture_fields("bars in the picture"),
                                .scalar = "points",
                                .examples = {"plot cycles ATT"}},
                        with_plot_output<PlotAttArgs>({trace_argument()}), run_plot_cycles));
  add(registry,
      command(
          Command{.path = "plot states",
                  .does = kReads,
                  .chapter = Class::exporting,
                  .summary = "Draw what the traced waves did over time, and how many there were.",
                  .help = "Shares of EXEC, IDLE, WAIT and STALL over time, of the traced compute "
                          "units; below, waves in flight on all compute "
                          "units of the traced shader engines.",
                  .fields = picture_fields("columns of the strip"),
                  .scalar = "points",
                  .examples = {"plot states ATT"}},
          with_plot_output<PlotAttArgs>({trace_argument()}), run_plot_states));
}

}  // namespace rpl
