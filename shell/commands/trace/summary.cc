// SPDX-License-Identifier: MIT
// summary: the first screen about a trace.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/units.h"
#include "engine/graph/gaps.h"
#include "shell/commands/trace/path_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/overview.h"

namespace rpl {
namespace {

struct SummaryArgs {
  std::int64_t top = 5;
};

/// What the path spends most time on, and what that means.
std::string verdict(const Trace& trace, const CriticalPath& path) {
  const auto most = std::ranges::max_element(path.segments_ns);
  const auto kind = static_cast<SegmentKind>(most - path.segments_ns.begin());
  const std::string share = format_share(share_of(*most, path.span_ns));
  switch (kind) {
    case SegmentKind::kernel: {
      if (!path.dominant_kernel) return "kernels limit it";
      const std::string name = short_name(trace, *path.dominant_kernel, 30);
      return fmt::format("kernels limit it ({} of the span); {} is {} of the path's work", share,
                         name, format_share(path.dominance_fraction));
    }
    case SegmentKind::copy:
      return fmt::format("memory copies limit it ({} of the span)", share);
    case SegmentKind::launch:
      return fmt::format("launch latency limits it ({} of the span): work was enqueued and waited",
                         share);
    case SegmentKind::host:
      return fmt::format("the host limits it ({} of the span): it launches too late", share);
    case SegmentKind::idle:
      break;
  }
  const bool api = trace.presence().api;
  return fmt::format(
      "the device idles ({} of the span){}", share,
      api ? ", and no recorded call explains it" : "; record API calls to learn why (--sys-trace)");
}

struct Times {
  std::int64_t span_ns = 0, busy_ns = 0;
  std::uint64_t gaps = 0;
  std::int64_t longest_gap_ns = 0;
};

std::string heading_of(const OpenTrace& open, const Overview& overview, const Times& times,
                       const Trace& trace, const CriticalPath& path, const Canvas& canvas) {
  std::string text = fmt::format("{}: {}\n", open.id(), one_line(overview));
  const double busy = share_of(times.busy_ns, times.span_ns);
  text +=
      fmt::format("GPU busy {} {} of {} ({}), {} gaps, the longest {}\n",
                  bar(busy, 20, canvas.unicode), format_ns(times.busy_ns), format_ns(times.span_ns),
                  format_share(busy), format_count(times.gaps), format_ns(times.longest_gap_ns));
  text += "the critical path spends its time on\n" + segment_bars(path, canvas);
  return text + verdict(trace, path) + "\n";
}

/// Of a recording in which nothing ran, or that does not say when: `why`.
Document summary_without_times(const Loaded& now, const TraceStats& stats, const Overview& overview,
                               const std::string& why) {
  Document out;
  out.set("id", now.open->id());
  out.set("dispatches", overview.totals.dispatches);
  if (!stats.kernels.empty()) out.set("kernels", stats.totals.kernels);
  out.heading = fmt::format("{}: {}\n", now.open->id(), one_line(overview));
  out.notes.push_back(why);
  for (const KernelStats& row : stats.kernels) {
    const Kernel& kernel = now.trace->kernels()[row.kernel];
    out.rows.push_back({Value(kernel.id), Value(kernel.name), Value(row.duration.calls), Value(),
                        Value(), Value(), Value()});
  }
  out.provenance = provenance_of(*now.trace);
  out.next = {"info agents", "info warnings"};
  if (now.trace->presence().counters) out.next = {"info counters", "roofline", "classify"};
  return out;
}

Result<Document> run_summary(Context& context, const SummaryArgs& args) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  const auto stats = TRY(stats_of(now));
  const Overview overview = overview_of(trace, *stats);
  auto lacks = nothing_ran(trace);
  if (!lacks) lacks = no_times(trace);
  if (lacks) return summary_without_times(now, *stats, overview, *lacks);
  const auto graph = TRY(graph_of(context, now));
  const auto path = TRY(path_of(context, now));
  const Gaps gaps = TRY(find_gaps(*graph, {.limit = 1}, context.monitor));
  const std::int64_t longest = gaps.rows.empty() ? 0 : gaps.rows[0].end_ns - gaps.rows[0].start_ns;
  // The path's span counts copies as well: the busy line must speak of the same span as the path below it.
  const Times times{path->span_ns, stats->totals.busy_ns, gaps.count, longest};
  Document out;
  out.set("id", now.open->id());
  out.set("dispatches", stats->totals.dispatches);
  out.set("kernels", stats->totals.kernels);
  out.set("span_ns", times.span_ns);
  out.set("gpu_time_ns", stats->totals.gpu_time_ns);
  out.set("busy_ns", times.busy_ns);
  out.set("busy_share", share_of(times.busy_ns, times.span_ns));
  out.set("gaps", times.gaps);
  out.set("longest_gap_ns", times.longest_gap_ns);
  Document view;
  set_path_fields(view, trace, *path);
  out.set("critical_path_ns", path->critical_path_ns);
  out.set("segments_ns", *view.get("segments_ns"));
  out.set("limited_by",
          to_string(static_cast<SegmentKind>(std::ranges::max_element(path->segments_ns) -
                                             path->segments_ns.begin())));
  out.set("verdict", verdict(trace, *path));
  for (const KernelStats& row : stats->kernels) {
    if (args.top > 0 && out.rows.size() >= static_cast<std::size_t>(args.top)) break;
    const Kernel& kernel = trace.kernels()[row.kernel];
    const auto on_path = std::ranges::find(path->kernels, row.kernel, &KernelOnPath::kernel);
    const bool found = on_path != path->kernels.end();
    out.rows.push_back({Value(kernel.id), Value(kernel.name), Value(row.duration.calls),
                        Value(row.duration.total_ns), Value(row.share),
                        found ? Value(on_path->share) : Value(0.0),
                        found ? Value(on_path->gain_if_2x) : Value()});
  }
  if (out.rows.size() < stats->kernels.size()) out.total_rows = stats->kernels.size();
  out.heading = heading_of(*now.open, overview, times, trace, *path, canvas_of(context));
  out.provenance = provenance_of(trace);
  out.next = {"critpath", "timeline", "gaps"};
  if (path->dominant_kernel) {
    out.next.push_back(
        fmt::format("whatif {} --speedup 2", trace.kernels()[*path->dominant_kernel].id));
  }
  return out;
}

const std::vector<Column> kSummaryFields{
    {"id", Type::id, Unit::none, "the trace"},
    {"dispatches", Type::integer, Unit::count, "kernel dispatches"},
    {"kernels", Type::integer, Unit::count, "distinct kernels"},
    {"span_ns", Type::integer, Unit::ns,
     "from the first start to the last end of dispatches and copies"},
    {"gpu_time_ns", Type::integer, Unit::ns, "sum of durations"},
    {"busy_ns", Type::integer, Unit::ns, "union of the dispatches' intervals"},
    {"busy_share", Type::number, Unit::share, "busy_ns / span_ns"},
    {"gaps", Type::integer, Unit::count, "times in which a device ran nothing"},
    {"longest_gap_ns", Type::integer, Unit::ns, "the longest of them"},
    {"critical_path_ns", Type::integer, Unit::ns, "kernels and copies on the critical path"},
    {"segments_ns", Type::record, Unit::ns, "the critical path by kind of segment"},
    {"limited_by", Type::string, Unit::none,
     "the kind with most time: kernel, copy, launch, host or idle"},
    {"verdict", Type::string, Unit::none, "the same as a sentence"},
};

}  // namespace

void add_summary_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "summary",
                  .chapter = Class::analysis,
                  .summary = "Say in one screen what the trace is and what limits it.",
                  .help = "How busy the device was, what the critical path spends its time on, and "
                          "the kernels with most time. "
                          "`path` is a kernel's share of the work on the critical path; "
                          "`gain_if_2x` the share of the span "
                          "that a twice as fast kernel would save.",
                  .fields = kSummaryFields,
                  .columns = {{"id", Type::id, Unit::none, "kernel"},
                              {"kernel", Type::kernel, Unit::none, "its name"},
                              {"calls", Type::integer, Unit::count, "dispatches"},
                              {"total_ns", Type::integer, Unit::ns, "sum of durations"},
                              {"share", Type::number, Unit::share, "of the sum of all durations"},
                              {"path", Type::number, Unit::share,
                               "of kernels and copies on the critical path"},
                              {"gain_if_2x", Type::number, Unit::share,
                               "of the span; null where not simulated"}},
                  .scalar = "verdict",
                  .aliases = {"info summary"},
                  .examples = {"summary TRACE"}},
          {option("top", &SummaryArgs::top, "kernels to show; 0 shows all")}, run_summary));
}

}  // namespace rpl
