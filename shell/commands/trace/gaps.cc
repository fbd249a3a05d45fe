// SPDX-License-Identifier: MIT
// gaps and overlap: time in which a device ran nothing, and work that could have run side by side.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/graph/gaps.h"
#include "engine/graph/overlap.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct GapsArgs {
  std::int64_t top = 20;
  std::string min, agent;
};

std::optional<std::string> id_or_null(const Graph& graph, NodeId node) {
  return node == kNoNode ? std::nullopt : std::optional(operation_id(graph, node));
}

double gap_share(const Gaps& gaps) { return share_of(gaps.total_ns, gaps.total_ns + gaps.busy_ns); }

constexpr Label kBusyFormula = "union of dispatches and copies of each device, summed over devices";

constexpr auto kGapFields = bound_to<Gaps>(
    column<&Gaps::count>("gaps", "how many")
        .formula("times between the first and the last operation of a device in which none ran"),
    column<&Gaps::total_ns>("total_ns", "their sum")
        .formula("by_cause_ns.launch + by_cause_ns.host + by_cause_ns.idle"),
    column<&Gaps::busy_ns>("busy_ns", "time with at least one operation, over all devices")
        .formula(kBusyFormula),
    column<&gap_share>("gap_share", "total_ns / (total_ns + busy_ns)"),
    column<&Gaps::by_cause_ns, &by_name<GapCause, decltype(Gaps::by_cause_ns), true>>(
        "by_cause_ns", "total_ns by cause")
        .in(Unit::ns));

struct GapRow {
  const Graph* graph = nullptr;
  const Gap* gap = nullptr;

  [[nodiscard]] std::int64_t at_ns() const { return gap->start_ns - graph->span_ns().first; }
  [[nodiscard]] std::int64_t length_ns() const { return gap->end_ns - gap->start_ns; }
  [[nodiscard]] std::optional<std::string> agent() const { return entity_id('a', gap->agent); }
  [[nodiscard]] std::optional<std::string> before() const {
    return id_or_null(*graph, gap->before);
  }
  [[nodiscard]] std::optional<std::string> after() const { return id_or_null(*graph, gap->after); }
  [[nodiscard]] std::optional<std::string> kernel() const {
    if (gap->after == kNoNode) return std::nullopt;
    return short_name(*graph, gap->after);
  }
};

constexpr auto kGapColumns = bound_to<GapRow>(
    column<&GapRow::at_ns>("at_ns", "begin, from the beginning of the trace"),
    column<&GapRow::length_ns>("length_ns", "how long"), column<&GapRow::agent>("agent", "device"),
    column<&GapRow::gap, &Gap::cause>("cause", "host, launch or idle"),
    column<&GapRow::gap, &Gap::host_ns>("host_ns", "until the launch was called").if_room(),
    column<&GapRow::gap, &Gap::launch_ns>("launch_ns", "from the call to the start").if_room(),
    column<&GapRow::before>("before", "operation that ended before it").if_room(),
    column<&GapRow::after>("after", "operation that ended it").as(Type::id),
    column<&GapRow::kernel>("kernel", "name of that operation").as(Type::kernel));

Result<Document> run_gaps(const GapsArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  GapOptions options;
  options.limit = args.top <= 0 ? 0 : static_cast<std::size_t>(args.top);
  if (!args.min.empty()) options.min_ns = std::max<std::int64_t>(TRY(parse_ns(args.min)), 1);
  if (!args.agent.empty()) options.agent = TRY(resolve_entity(*now.trace, 'a', args.agent));
  const Gaps gaps = TRY(find_gaps(*graph, options, inputs.monitor));
  Document out;
  out.put(kGapFields, gaps);
  std::vector<GapRow> rows;
  for (const Gap& gap : gaps.rows) rows.push_back({graph.get(), &gap});
  out.table(kGapColumns, rows);
  if (gaps.count > gaps.rows.size()) out.total_rows = gaps.count;
  if (const auto why = nothing_ran(*now.trace))
    out.notes.push_back(*why);
  else if (gaps.count == 0)
    out.notes.emplace_back("the device was never idle between its first and its last operation");
  if (!now.trace->presence().api && gaps.count > 0) {
    out.notes.emplace_back(
        "without recorded API calls the cause of a gap is unknown (rocprofv3 --hip-trace)");
  }
  out.provenance = provenance_of(*now.trace);
  if (!gaps.rows.empty()) {
    const std::int64_t origin = graph->span_ns().first;
    const Gap& longest = gaps.rows.front();
    out.next = {fmt::format("timeline --from {}ns --to {}ns",
                            std::max<std::int64_t>(longest.start_ns - origin - 1000, 0),
                            longest.end_ns - origin + 1000),
                "select " + operation_id(*graph, longest.after), "backtrace"};
  }
  return out;
}

struct OverlapArgs {
  std::int64_t top = 20;
};

double concurrent_share(const OverlapReport& report) {
  return share_of(report.concurrent_ns, report.busy_ns);
}

std::int64_t potential_ns(const OverlapReport& report) {
  std::int64_t could = 0;
  for (const OverlapPair& pair : report.potential) could += pair.could_save_ns;
  return could;
}

constexpr auto kOverlapFields = bound_to<OverlapReport>(
    column<&OverlapReport::busy_ns>("busy_ns", "time with at least one operation")
        .formula(kBusyFormula),
    column<&OverlapReport::concurrent_ns>("concurrent_ns",
                                          "of that, with at least two streams busy")
        .formula("of that, with at least two streams of the device busy"),
    column<&concurrent_share>("concurrent_share", "concurrent_ns / busy_ns"),
    column<&potential_ns>("potential_ns", "sum of could_save_ns over all pairs")
        .formula("sum over pairs (a, b) that nothing recorded orders of min(end(a) - max(start(a), "
                 "arrival(b)), duration(b))"));

struct PairRow {
  const Trace* trace = nullptr;
  const OverlapPair* pair = nullptr;

  template <std::uint32_t OverlapPair::* side>
  [[nodiscard]] const Kernel* kernel() const {
    return pair->*side == kNone ? nullptr : &trace->kernels()[pair->*side];
  }
  template <std::uint32_t OverlapPair::* side>
  [[nodiscard]] std::string name() const {
    const Kernel* of = kernel<side>();
    return of == nullptr ? "(no kernel)" : of->name;
  }
};

constexpr auto kPairColumns = bound_to<PairRow>(
    column<&PairRow::kernel<&OverlapPair::first>, &Kernel::id>("first_id", "kernel").if_room(),
    column<&PairRow::name<&OverlapPair::first>>("first", "its name").as(Type::kernel),
    column<&PairRow::kernel<&OverlapPair::second>, &Kernel::id>("second_id", "kernel").if_room(),
    column<&PairRow::name<&OverlapPair::second>>("second", "its name").as(Type::kernel),
    column<&PairRow::pair, &OverlapPair::pairs>("pairs", "dispatches that followed each other so"),
    column<&PairRow::pair, &OverlapPair::could_save_ns>(
        "could_save_ns", "by how much the later could have run beside the earlier"),
    column<&PairRow::pair, &OverlapPair::on_path_ns>(
        "on_path_ns", "of that, where the later is on the critical path"));

Result<Document> run_overlap(const OverlapArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const Trace& trace = *now.trace;
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_of(inputs, now));
  const OverlapReport report = TRY(find_overlap(*graph, path->on_path, inputs.monitor));
  Document out;
  out.put(kOverlapFields, report);
  std::vector<PairRow> rows;
  for (const OverlapPair& pair : report.potential) rows.push_back({&trace, &pair});
  out.table(kPairColumns, rows, args.top);
  if (const auto why = nothing_ran(trace))
    out.notes.push_back(*why);
  else if (report.potential.empty())
    out.notes.emplace_back(
        "no two kernels ran one after the other without a reason in the evidence");
  out.provenance = Provenance::estimated;
  out.next = {"info streams", "timeline", "slack"};
  return out;
}

void add_gaps(Registry& registry) {
  add(registry,
      command(Command{.path = "gaps",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "List when a device ran nothing, the longest first.",
                      .help = "A gap lies between the first and the last operation of a device. "
                              "Its cause is `host` when the launch of "
                              "what ended it had not been called for most of it, `launch` when "
                              "that was already enqueued, "
                              "`idle` when the recording has no call to tell.",
                      .fields = described(kGapFields),
                      .columns = described(kGapColumns),
                      .scalar = "total_ns",
                      .aliases = {"info gaps"},
                      .examples = {"gaps TRACE", "gaps TRACE --min 10us --top 3"}},
              {option("top", &GapsArgs::top, "gaps to show; 0 shows all").in(at_least(0)),
               option("min", &GapsArgs::min, "only gaps of at least so long: 40us").named("TIME"),
               option("agent", &GapsArgs::agent, "only this device").named("A")},
              run_gaps));
}

void add_overlap(Registry& registry) {
  add(registry,
      command(
          Command{.path = "overlap",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show which kernels could have run side by side.",
                  .help =
                      "Pairs of kernels of different streams that ran one after the other although "
                      "nothing recorded "
                      "orders them, and how much time running them together could save. An "
                      "estimate: it does not ask "
                      "whether both fit on the device.",
                  .fields = described(kOverlapFields),
                  .columns = described(kPairColumns),
                  .scalar = "potential_ns",
                  .aliases = {"info overlap"},
                  .examples = {"overlap TRACE"}},
          {option("top", &OverlapArgs::top, "pairs to show; 0 shows all").in(at_least(0))},
          run_overlap));
}

}  // namespace

void add_gap_commands(Registry& registry) {
  add_gaps(registry);
  add_overlap(registry);
}

}  // namespace rpl
