// SPDX-License-Identifier: MIT
// summary: the first screen about a trace.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/graph/gaps.h"
#include "shell/commands/diagnose/application_view.h"
#include "shell/commands/trace/path_view.h"
#include "shell/commands/trace/steps_view.h"
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

struct SummaryFacts {
  std::string id;
  std::uint64_t dispatches = 0;
  std::optional<std::uint32_t> kernels;
  std::optional<std::int64_t> span_ns, gpu_time_ns, busy_ns;
  std::optional<double> busy_share;
  std::optional<std::uint64_t> gaps;
  std::optional<std::int64_t> longest_gap_ns;
  const CriticalPath* path = nullptr;
  std::optional<SegmentKind> limited_by;
  std::optional<std::string> verdict;
  std::optional<std::uint64_t> steps;
  std::optional<std::int64_t> step_ns;
  std::optional<double> step_idle;
  std::optional<std::vector<std::string>> findings;
};

// What rests on times is left out where there are none.
constexpr auto kSummaryFields = bound_to<SummaryFacts>(
    column<&SummaryFacts::id>("id", "the trace").as(Type::id),
    column<&SummaryFacts::dispatches>("dispatches", "kernel dispatches")
        .formula("dispatches in the recording"),
    column<&SummaryFacts::kernels>("kernels", "distinct kernels")
        .if_known()
        .formula("kernels with at least one dispatch"),
    column<&SummaryFacts::span_ns>("span_ns",
                                   "from the first start to the last end of dispatches and copies")
        .if_known()
        .formula("last_end_ns - first_start_ns"),
    column<&SummaryFacts::gpu_time_ns>("gpu_time_ns", "sum of durations")
        .if_known()
        .formula("sum of end - start over all dispatches; time is counted twice in which two ran"),
    column<&SummaryFacts::busy_ns>("busy_ns", "union of the dispatches' intervals")
        .if_known()
        .formula("length of the union of [start, end] of the dispatches, over all devices"),
    column<&SummaryFacts::busy_share>("busy_share", "busy_ns / span_ns").if_known(),
    column<&SummaryFacts::gaps>("gaps", "times in which a device ran nothing")
        .if_known()
        .formula("times between the first and the last operation of a device in which none ran"),
    column<&SummaryFacts::longest_gap_ns>("longest_gap_ns", "the longest of them")
        .if_known()
        .formula("the longest of them"),
    column<&SummaryFacts::path, &CriticalPath::critical_path_ns>(
        "critical_path_ns", "kernels and copies on the critical path")
        .if_known(),
    column<&SummaryFacts::path, &CriticalPath::segments_ns,
           &by_name<SegmentKind, SegmentTimes, true>>("segments_ns",
                                                      "the critical path by kind of segment")
        .in(Unit::ns)
        .if_known(),
    column<&SummaryFacts::limited_by>("limited_by",
                                      "the kind with most time: kernel, copy, launch, host or idle")
        .if_known(),
    column<&SummaryFacts::verdict>("verdict", "the same as a sentence").if_known(),
    column<&SummaryFacts::steps>("steps", "of a loop, where one is found").if_known(),
    column<&SummaryFacts::step_ns>("step_ns", "of one, the median").if_known(),
    column<&SummaryFacts::step_idle>("step_idle_share", "of the even ones, in which nothing ran")
        .in(Unit::share)
        .if_known(),
    column<&SummaryFacts::findings>("findings", "of the whole application, the most worth first")
        .if_known());

struct SummaryRow {
  const Kernel* kernel = nullptr;
  std::uint64_t calls = 0;
  std::optional<std::int64_t> total_ns;
  std::optional<double> share, path, gain_if_2x;
};

constexpr auto kSummaryColumns = bound_to<SummaryRow>(
    column<&SummaryRow::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&SummaryRow::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&SummaryRow::calls>("calls", "dispatches"),
    column<&SummaryRow::total_ns>("total_ns", "sum of durations"),
    column<&SummaryRow::share>("share", "of the sum of all durations"),
    column<&SummaryRow::path>("path", "of kernels and copies on the critical path").in(Unit::share),
    column<&SummaryRow::gain_if_2x>("gain_if_2x", "of the span; null where not simulated")
        .in(Unit::share));

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

/// What repeats, and what the application around the kernels costs.
struct Repeats {
  std::optional<std::uint64_t> steps;
  std::optional<std::int64_t> step_ns;
  std::optional<double> idle;
  std::optional<std::vector<std::string>> findings;
  std::string text;
};

Result<Repeats> repeats_of(const Inputs& inputs, const Loaded& now, const Graph& graph,
                           std::size_t width) {
  // Beyond it the first screen would keep people waiting; the commands of their own do it.
  constexpr std::uint32_t kMost = 1'000'000;
  constexpr std::size_t kTold = 3;
  Repeats out;
  if (graph.operations() > kMost) return out;
  const LoopSteps steps = TRY(steps_of(inputs, now));
  if (steps.found()) {
    out.steps = steps.steps.size();
    out.step_ns = steps.median_ns;
    out.idle = idle_share(steps);
  }
  out.text = steps_text(graph, steps, width);
  const auto found = TRY(application_findings(inputs, now));
  if (!found) return out;
  out.findings.emplace();
  for (const findings::Finding& one : found->all) {
    if (out.findings->size() == kTold) break;
    out.findings->push_back(application_line(one));
    out.text += wrapped(fmt::format("{}: {}", application_line(one), one.remedy), 0, width);
  }
  return out;
}

/// Of a recording in which nothing ran, or that does not say when: `why`.
Document summary_without_times(const Loaded& now, const TraceStats& stats, const Overview& overview,
                               const std::string& why) {
  Document out;
  SummaryFacts facts;
  facts.id = now.open->id();
  facts.dispatches = overview.totals.dispatches;
  if (!stats.kernels.empty()) facts.kernels = stats.totals.kernels;
  out.put(kSummaryFields, facts);
  out.heading = fmt::format("{}: {}\n", now.open->id(), one_line(overview));
  out.notes.push_back(why);
  std::vector<SummaryRow> rows;
  for (const KernelStats& row : stats.kernels)
    rows.push_back({&now.trace->kernels()[row.kernel], row.duration.calls, {}, {}, {}, {}});
  out.table(kSummaryColumns, rows);
  out.provenance = provenance_of(*now.trace);
  out.next = {"info agents", "info warnings"};
  if (now.trace->presence().counters) out.next = {"info counters", "roofline", "classify"};
  return out;
}

Result<Document> run_summary(const SummaryArgs& args, Inputs inputs, Screen screen) {
  const Loaded now = TRY(loaded(inputs));
  const Trace& trace = *now.trace;
  const auto stats = TRY(stats_of(now));
  const Overview overview = overview_of(trace, *stats);
  auto lacks = nothing_ran(trace);
  if (!lacks) lacks = no_times(trace);
  if (lacks) return summary_without_times(now, *stats, overview, *lacks);
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_with_gains_of(inputs, now));
  const Gaps gaps = TRY(find_gaps(*graph, {.limit = 1}, inputs.monitor));
  const std::int64_t longest = gaps.rows.empty() ? 0 : gaps.rows[0].end_ns - gaps.rows[0].start_ns;
  // The path's span counts copies as well: the busy line must speak of the same span as the path below it.
  const Times times{path->span_ns, stats->totals.busy_ns, gaps.count, longest};
  SummaryFacts facts;
  facts.id = now.open->id();
  facts.dispatches = stats->totals.dispatches;
  facts.kernels = stats->totals.kernels;
  facts.span_ns = times.span_ns;
  facts.gpu_time_ns = stats->totals.gpu_time_ns;
  facts.busy_ns = times.busy_ns;
  facts.busy_share = share_of(times.busy_ns, times.span_ns);
  facts.gaps = times.gaps;
  facts.longest_gap_ns = times.longest_gap_ns;
  facts.path = path.get();
  facts.limited_by = static_cast<SegmentKind>(std::ranges::max_element(path->segments_ns) -
                                              path->segments_ns.begin());
  facts.verdict = verdict(trace, *path);
  const Repeats repeats = TRY(repeats_of(inputs, now, *graph, screen.width));
  facts.steps = repeats.steps;
  facts.step_ns = repeats.step_ns;
  facts.step_idle = repeats.idle;
  facts.findings = repeats.findings;
  Document out;
  out.put(kSummaryFields, facts);
  std::vector<SummaryRow> rows;
  for (const KernelStats& kernel : stats->kernels) {
    SummaryRow& row = rows.emplace_back();
    row.kernel = &trace.kernels()[kernel.kernel];
    row.calls = kernel.duration.calls;
    row.total_ns = kernel.duration.total_ns;
    row.share = kernel.share;
    row.path = 0.0;
    const auto on_path = std::ranges::find(path->kernels, kernel.kernel, &KernelOnPath::kernel);
    if (on_path == path->kernels.end()) continue;
    row.path = on_path->share;
    row.gain_if_2x = on_path->gain_if_2x;
  }
  out.table(kSummaryColumns, rows, args.top);
  if (auto note = model_band_note(trace, *stats)) out.notes.push_back(std::move(*note));
  out.heading = heading_of(*now.open, overview, times, trace, *path, screen) + repeats.text;
  out.provenance = provenance_of(trace);
  out.next = {"findings", "critpath", "timeline"};
  if (repeats.steps) out.next.insert(out.next.begin() + 1, "steps");
  if (path->dominant_kernel) {
    out.next.push_back(
        fmt::format("whatif {} --speedup 2", trace.kernels()[*path->dominant_kernel].id));
  }
  return out;
}

}  // namespace

void add_summary_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "summary",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Say in one screen what the trace is and what limits it.",
                  .help = "How busy the device was, what the critical path spends its time on, and "
                          "the kernels with most time. "
                          "`path` is a kernel's share of the work on the critical path; "
                          "`gain_if_2x` the share of the span "
                          "that a twice as fast kernel would save.",
                  .fields = described(kSummaryFields),
                  .columns = described(kSummaryColumns),
                  .scalar = "verdict",
                  .aliases = {"info summary"},
                  .examples = {"summary TRACE"}},
          {option("top", &SummaryArgs::top, "kernels to show; 0 shows all").in(at_least(0))},
          run_summary));
}

}  // namespace rpl
