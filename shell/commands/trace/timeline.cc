// SPDX-License-Identifier: MIT
// timeline: what ran when, drawn in the terminal.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/plot/timeline.h"
#include "engine/plot/timeline_index.h"
#include "shell/commands/trace/filters.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/render/pictures/text_pictures.h"

namespace rpl {
namespace {

struct TimelineArgs {
  std::string from, to, around;
  std::vector<std::string> streams;
  std::string by = "stream";
  std::int64_t rows = 8, width = 0;
  bool indexed = false;
};

/// The window, counted from the beginning of the trace.
struct TimelineFacts {
  std::int64_t from_ns = 0, to_ns = 0;
  const Timeline* timeline = nullptr;
};

constexpr auto kTimelineFields = bound_to<TimelineFacts>(
    column<&TimelineFacts::from_ns>("from_ns",
                                    "begin of the window, from the beginning of the trace"),
    column<&TimelineFacts::to_ns>("to_ns", "its end"),
    column<&TimelineFacts::timeline, &Timeline::operations>("operations",
                                                            "dispatches and copies that touch it"),
    column<&TimelineFacts::timeline, &Timeline::busy_ns>("busy_ns", "while any of them runs"),
    column<&TimelineFacts::timeline, &Timeline::hidden_rows>("hidden_rows",
                                                             "rows for which there was no room"));

struct BusyRow {
  std::string id;
  const TimelineRow* row = nullptr;
  double busy_share = 0;
};

constexpr auto kBusyColumns = bound_to<BusyRow>(
    column<&BusyRow::id>("id", "stream, queue or agent").as(Type::id),
    column<&BusyRow::row, &TimelineRow::operations>("operations", "that touch the window"),
    column<&BusyRow::row, &TimelineRow::busy_ns>("busy_ns", "union of their intervals within it"),
    column<&BusyRow::busy_share>("busy_share", "of the window"),
    column<&BusyRow::row, &TimelineRow::busy>("cells", "share of each cell, first to last"));

/// Indexes of one recording, the one of all of it first; those of windows come and go.
struct TimelineIndexes {
  std::vector<std::shared_ptr<const TimelineIndex>> levels;
};

/// An index that serves the window, made where none does.
Result<std::shared_ptr<const TimelineIndex>> index_for(const Loaded& now, const Graph& graph,
                                                       const CriticalPath* path,
                                                       const TimelineOptions& options) {
  const auto kept = now.open->cached<TimelineIndexes>();
  TimelineIndexes all = kept ? *kept : TimelineIndexes();
  const std::int64_t from = *options.from_ns, to = *options.to_ns;
  std::shared_ptr<const TimelineIndex> coarser;
  for (const auto& one : all.levels) {
    if (one->serves(options.by, from, to, options.cells)) return one;
    const bool finer = !coarser || one->bin_ns() < coarser->bin_ns();
    if (one->covers(options.by, from, to) && finer) coarser = one;
  }
  const auto [first, last] = graph.span_ns();
  constexpr std::size_t kMostLevels = 6;
  // What stands beside the window is looked at next.
  const std::int64_t beside = to - from;
  const bool whole = !coarser;
  auto made = TRY(TimelineIndex::build(graph, path, options.by,
                                       whole ? first : std::max(first, from - beside),
                                       whole ? last : std::min(last, to + beside), coarser.get()));
  all.levels.push_back(made);
  if (all.levels.size() > kMostLevels) all.levels.erase(all.levels.begin() + 1);
  now.open->cache(std::make_shared<const TimelineIndexes>(std::move(all)));
  if (made->serves(options.by, from, to, options.cells) || !whole) return made;
  return index_for(now, graph, path, options);
}

/// The picture of a window; from an index where that is wanted.
Result<Timeline> picture_of(const Loaded& now, const Graph& graph, const CriticalPath* path,
                            TimelineOptions options, bool indexed) {
  if (!indexed || graph.operations() == 0) return build_timeline(graph, path, options);
  const auto [first, last] = graph.span_ns();
  options.from_ns = std::clamp(options.from_ns.value_or(first), first, last);
  options.to_ns = std::clamp(options.to_ns.value_or(last), first, last);
  if (*options.to_ns <= *options.from_ns) return build_timeline(graph, path, options);
  const auto index = TRY(index_for(now, graph, path, options));
  return index->picture(options);
}

/// The line that shows the middle quarter of a window.
std::string closer(std::int64_t from_ns, std::int64_t to_ns) {
  const std::int64_t span = to_ns - from_ns;
  constexpr std::int64_t kMs = 1'000'000, kUs = 1'000, kSteps = 100;
  const std::int64_t unit = span >= kSteps * kMs ? kMs : span >= kSteps * kUs ? kUs : 1;
  return fmt::format("timeline --from {0}{2} --to {1}{2}", (from_ns + span * 3 / 8) / unit,
                     (from_ns + span * 5 / 8) / unit,
                     unit == kMs   ? "ms"
                     : unit == kUs ? "us"
                                   : "ns");
}

Result<Document> run_timeline(const TimelineArgs& args, Inputs inputs, Screen canvas) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const Trace& trace = *now.trace;
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_of(inputs, now));
  if (args.width > 0) canvas.width = static_cast<std::size_t>(args.width);
  // Nobody reads more, whatever a program says that its terminal has; 'export svg' draws larger pictures.
  constexpr std::size_t kMostColumns = 10'000;
  canvas.width = std::min(canvas.width, kMostColumns);
  TimelineOptions options;
  const auto [from, to] =
      TRY(window_of_args(inputs.workspace, trace, {args.from, args.to, args.around}));
  options.from_ns = from;
  options.to_ns = to;
  options.cells = timeline_cells(canvas);
  options.rows = args.rows <= 0 ? 64 : static_cast<std::size_t>(args.rows);
  options.by = timeline_by(args.by);
  for (const std::string& stream : args.streams) {
    options.only.push_back(TRY(resolve_entity(trace, args.by[0], stream)));
  }
  const Timeline timeline = TRY(picture_of(now, *graph, path.get(), options, args.indexed));
  const std::int64_t origin = graph->span_ns().first;
  Document out;
  out.put(kTimelineFields,
          TimelineFacts{timeline.from_ns - origin, timeline.to_ns - origin, &timeline});
  const std::int64_t span = timeline.to_ns - timeline.from_ns;
  std::vector<BusyRow> rows;
  for (const TimelineRow& row : timeline.rows)
    rows.push_back({timeline_row_id(options.by, row.entity), &row, share_of(row.busy_ns, span)});
  out.table(kBusyColumns, rows);
  out.text = fmt::format("{} to {}, one cell is {}\n", format_ns(timeline.from_ns - origin),
                         format_ns(timeline.to_ns - origin),
                         format_ns(span / static_cast<std::int64_t>(options.cells)));
  out.text += timeline_text(timeline, canvas, {.by = options.by, .origin_ns = origin, .label = {}});
  if (!timeline.path.empty()) out.text += "path: k kernel, c copy, l launch, h host, . idle\n";
  if (const auto why = nothing_ran(trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(trace);
  out.next = {"gaps", closer(timeline.from_ns - origin, timeline.to_ns - origin),
              "export svg -o timeline.svg"};
  return out;
}

}  // namespace

void add_timeline_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "timeline",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Draw what ran when, one row for each stream.",
                  .help =
                      "The filling of a cell is the share of its time in which the stream was "
                      "busy; the busiest streams come "
                      "first. Marks below a row show the critical path, and the row `path` what it "
                      "did: k kernel, c "
                      "copy, l launch, h host, `.` idle. --from and --to choose a window, --around "
                      "d12 one around a "
                      "dispatch.",
                  .fields = described(kTimelineFields),
                  .columns = described(kBusyColumns),
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
           option("width", &TimelineArgs::width, "columns to draw on; 0 is the terminal's width"),
           flag("indexed", &TimelineArgs::indexed,
                "from sums that are made once, as faces that zoom and pan want it: shares are "
                "within a sixteenth thousandth of the recording")},
          run_timeline));
}

}  // namespace rpl
