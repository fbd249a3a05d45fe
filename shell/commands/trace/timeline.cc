// SPDX-License-Identifier: MIT
// timeline: what ran when, drawn in the terminal.
#include <fmt/format.h>

#include "engine/base/units.h"
#include "engine/plot/timeline.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/window_args.h"
#include "shell/render/pictures/timeline_text.h"

namespace rpl {
namespace {

struct TimelineArgs {
  std::string from, to, around;
  std::vector<std::string> streams;
  std::string by = "stream";
  std::int64_t rows = 8, width = 0;
};

Result<Document> run_timeline(Context& context, const TimelineArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  const Trace& trace = *now.trace;
  const auto graph = TRY(graph_of(context, now));
  const auto path = TRY(path_of(context, now));
  Canvas canvas = canvas_of(context);
  if (args.width > 0) canvas.width = static_cast<std::size_t>(args.width);
  TimelineOptions options;
  const auto [from, to] = TRY(window_of_args(context, trace, {args.from, args.to, args.around}));
  options.from_ns = from;
  options.to_ns = to;
  options.cells = timeline_cells(canvas);
  options.rows = args.rows <= 0 ? 64 : static_cast<std::size_t>(args.rows);
  options.by = timeline_by(args.by);
  for (const std::string& stream : args.streams) {
    options.only.push_back(TRY(resolve_entity(trace, args.by[0], stream)));
  }
  const Timeline timeline = TRY(build_timeline(*graph, path.get(), options));
  const std::int64_t origin = graph->span_ns().first;
  Document out;
  out.set("from_ns", timeline.from_ns - origin);
  out.set("to_ns", timeline.to_ns - origin);
  out.set("operations", timeline.operations);
  out.set("busy_ns", timeline.busy_ns);
  out.set("hidden_rows", std::uint64_t{timeline.hidden_rows});
  const std::int64_t span = timeline.to_ns - timeline.from_ns;
  for (const TimelineRow& row : timeline.rows) {
    List busy;
    for (const double share : row.busy) busy.emplace_back(share);
    out.rows.push_back({Value(timeline_row_id(options.by, row.entity)), Value(row.operations),
                        Value(row.busy_ns), Value(share_of(row.busy_ns, span)),
                        Value(std::move(busy))});
  }
  out.text = fmt::format("{} to {}, one cell is {}\n", format_ns(timeline.from_ns - origin),
                         format_ns(timeline.to_ns - origin),
                         format_ns(span / static_cast<std::int64_t>(options.cells)));
  out.text += timeline_text(timeline, canvas, {.by = options.by, .origin_ns = origin, .label = {}});
  if (!timeline.path.empty()) out.text += "path: k kernel, c copy, l launch, h host, . idle\n";
  if (const auto why = nothing_ran(trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(trace);
  out.next = {"gaps", "timeline --from 10ms --to 20ms", "export svg -o timeline.svg"};
  return out;
}

}  // namespace

void add_timeline_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "timeline",
              .chapter = Class::analysis,
              .summary = "Draw what ran when, one row for each stream.",
              .help = "The filling of a cell is the share of its time in which the stream was "
                      "busy; the busiest streams come "
                      "first. Marks below a row show the critical path, and the row `path` what it "
                      "did: k kernel, c "
                      "copy, l launch, h host, `.` idle. --from and --to choose a window, --around "
                      "d12 one around a "
                      "dispatch.",
              .fields = {{"from_ns", Type::integer, Unit::ns,
                          "begin of the window, from the beginning of the trace"},
                         {"to_ns", Type::integer, Unit::ns, "its end"},
                         {"operations", Type::integer, Unit::count,
                          "dispatches and copies that touch it"},
                         {"busy_ns", Type::integer, Unit::ns, "while any of them runs"},
                         {"hidden_rows", Type::integer, Unit::count,
                          "rows for which there was no room"}},
              .columns = {{"id", Type::id, Unit::none, "stream, queue or agent"},
                          {"operations", Type::integer, Unit::count, "that touch the window"},
                          {"busy_ns", Type::integer, Unit::ns,
                           "union of their intervals within it"},
                          {"busy_share", Type::number, Unit::share, "of the window"},
                          {"cells", Type::any, Unit::none, "share of each cell, first to last"}},
              .scalar = "busy_ns",
              .aliases = {"info timeline"},
              .examples = {"timeline TRACE", "timeline TRACE --from 0ms --to 1ms --rows 4"}},
          {option("from", &TimelineArgs::from, "begin of the window: 12ms, or a marker")
               .named("TIME"),
           option("to", &TimelineArgs::to, "end of the window").named("TIME"),
           option("around", &TimelineArgs::around,
                  "ten times the length of this dispatch around it")
               .named("D")
               .completes(Complete::dispatch),
           option("streams", &TimelineArgs::streams, "only this stream; may be repeated")
               .named("S")
               .completes(Complete::stream),
           option("by", &TimelineArgs::by, "what a row is").one_of({"stream", "queue", "agent"}),
           option("rows", &TimelineArgs::rows, "at most so many rows"),
           option("width", &TimelineArgs::width, "columns to draw on; 0 is the terminal's width")},
          run_timeline));
}

}  // namespace rpl
