// SPDX-License-Identifier: MIT
// gaps and overlap: time in which a device ran nothing, and work that could have run side by side.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/units.h"
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

Value id_or_null(const Graph& graph, NodeId node) {
  return node == kNoNode ? Value() : Value(operation_id(graph, node));
}

Result<Document> run_gaps(Context& context, const GapsArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  const auto graph = TRY(graph_of(context, now));
  GapOptions options;
  options.limit = args.top <= 0 ? 0 : static_cast<std::size_t>(args.top);
  if (!args.min.empty()) options.min_ns = std::max<std::int64_t>(TRY(parse_ns(args.min)), 1);
  if (!args.agent.empty()) options.agent = TRY(resolve_entity(*now.trace, 'a', args.agent));
  const Gaps gaps = TRY(find_gaps(*graph, options, context.monitor));
  Document out;
  out.set("gaps", gaps.count);
  out.set("total_ns", gaps.total_ns);
  out.set("busy_ns", gaps.busy_ns);
  out.set("gap_share", share_of(gaps.total_ns, gaps.total_ns + gaps.busy_ns));
  Record causes;
  for (std::size_t i = 0; i < kGapCauses; ++i) {
    causes.emplace_back(to_string(static_cast<GapCause>(i)), Value(gaps.by_cause_ns[i]));
  }
  out.set("by_cause_ns", Value(std::move(causes)));
  const std::int64_t origin = graph->span_ns().first;
  for (const Gap& gap : gaps.rows) {
    const bool named = gap.after != kNoNode;
    out.rows.push_back({Value(gap.start_ns - origin), Value(gap.end_ns - gap.start_ns),
                        entity_id('a', gap.agent), Value(to_string(gap.cause)), Value(gap.host_ns),
                        Value(gap.launch_ns), id_or_null(*graph, gap.before),
                        id_or_null(*graph, gap.after),
                        named ? Value(short_name(*graph, gap.after)) : Value()});
  }
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

Value kernel_id(const Trace& trace, std::uint32_t kernel) {
  return kernel == kNone ? Value() : Value(trace.kernels()[kernel].id);
}

Result<Document> run_overlap(Context& context, const OverlapArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  const Trace& trace = *now.trace;
  const auto graph = TRY(graph_of(context, now));
  const auto path = TRY(path_of(context, now));
  const OverlapReport report = TRY(find_overlap(*graph, path->on_path, context.monitor));
  Document out;
  out.set("busy_ns", report.busy_ns);
  out.set("concurrent_ns", report.concurrent_ns);
  out.set("concurrent_share", share_of(report.concurrent_ns, report.busy_ns));
  std::int64_t could = 0;
  for (const OverlapPair& pair : report.potential) could += pair.could_save_ns;
  out.set("potential_ns", could);
  for (const OverlapPair& pair : report.potential) {
    if (args.top > 0 && out.rows.size() >= static_cast<std::size_t>(args.top)) break;
    out.rows.push_back({kernel_id(trace, pair.first), Value(short_name(trace, pair.first)),
                        kernel_id(trace, pair.second), Value(short_name(trace, pair.second)),
                        Value(pair.pairs), Value(pair.could_save_ns), Value(pair.on_path_ns)});
  }
  if (out.rows.size() < report.potential.size()) out.total_rows = report.potential.size();
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
                      .chapter = Class::analysis,
                      .summary = "List when a device ran nothing, the longest first.",
                      .help = "A gap lies between the first and the last operation of a device. "
                              "Its cause is `host` when the launch of "
                              "what ended it had not been called for most of it, `launch` when "
                              "that was already enqueued, "
                              "`idle` when the recording has no call to tell.",
                      .fields = {{"gaps", Type::integer, Unit::count, "how many"},
                                 {"total_ns", Type::integer, Unit::ns, "their sum"},
                                 {"busy_ns", Type::integer, Unit::ns,
                                  "time with at least one operation, over all devices"},
                                 {"gap_share", Type::number, Unit::share,
                                  "total_ns / (total_ns + busy_ns)"},
                                 {"by_cause_ns", Type::record, Unit::ns, "total_ns by cause"}},
                      .columns = {{"at_ns", Type::integer, Unit::ns,
                                   "begin, from the beginning of the trace"},
                                  {"length_ns", Type::integer, Unit::ns, "how long"},
                                  {"agent", Type::string, Unit::none, "device"},
                                  {"cause", Type::string, Unit::none, "host, launch or idle"},
                                  {"host_ns", Type::integer, Unit::ns,
                                   "until the launch was called", InText::if_room},
                                  {"launch_ns", Type::integer, Unit::ns,
                                   "from the call to the start", InText::if_room},
                                  {"before", Type::string, Unit::none,
                                   "operation that ended before it", InText::if_room},
                                  {"after", Type::id, Unit::none, "operation that ended it"},
                                  {"kernel", Type::kernel, Unit::none, "name of that operation"}},
                      .scalar = "total_ns",
                      .aliases = {"info gaps"},
                      .examples = {"gaps TRACE", "gaps TRACE --min 10us --top 3"}},
              {option("top", &GapsArgs::top, "gaps to show; 0 shows all"),
               option("min", &GapsArgs::min, "only gaps of at least so long: 40us").named("TIME"),
               option("agent", &GapsArgs::agent, "only this device").named("A")},
              run_gaps));
}

void add_overlap(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "overlap",
              .chapter = Class::analysis,
              .summary = "Show which kernels could have run side by side.",
              .help = "Pairs of kernels of different streams that ran one after the other although "
                      "nothing recorded "
                      "orders them, and how much time running them together could save. An "
                      "estimate: it does not ask "
                      "whether both fit on the device.",
              .fields = {{"busy_ns", Type::integer, Unit::ns, "time with at least one operation"},
                         {"concurrent_ns", Type::integer, Unit::ns,
                          "of that, with at least two streams busy"},
                         {"concurrent_share", Type::number, Unit::share, "concurrent_ns / busy_ns"},
                         {"potential_ns", Type::integer, Unit::ns,
                          "sum of could_save_ns over all pairs"}},
              .columns = {{"first_id", Type::string, Unit::none, "kernel", InText::if_room},
                          {"first", Type::kernel, Unit::none, "its name"},
                          {"second_id", Type::string, Unit::none, "kernel", InText::if_room},
                          {"second", Type::kernel, Unit::none, "its name"},
                          {"pairs", Type::integer, Unit::count,
                           "dispatches that followed each other so"},
                          {"could_save_ns", Type::integer, Unit::ns,
                           "by how much the later could have run beside the earlier"},
                          {"on_path_ns", Type::integer, Unit::ns,
                           "of that, where the later is on the critical path"}},
              .scalar = "potential_ns",
              .aliases = {"info overlap"},
              .examples = {"overlap TRACE"}},
          {option("top", &OverlapArgs::top, "pairs to show; 0 shows all")}, run_overlap));
}

}  // namespace

void add_gap_commands(Registry& registry) {
  add_gaps(registry);
  add_overlap(registry);
}

}  // namespace rpl
