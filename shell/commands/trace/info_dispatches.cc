// SPDX-License-Identifier: MIT
// info dispatches and info dispatch: single launches.
#include <algorithm>

#include "engine/document/bound.h"
#include "shell/commands/trace/filters.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/trace_columns.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct DispatchesArgs : DispatchFilterArgs {
  std::string sort = "start";
  std::int64_t limit = 0;
};

using namespace dispatch_columns;

constexpr auto kDispatchColumns = bound_to<DispatchRow>(
    kId, kRecordedId.if_room(), kKernel, kAgent.if_room(), kQueue.if_room(), kStream,
    kStart.never(), kAt, kDuration, kGrid.if_room(), kWorkgroup.if_room(), kSlack, kCritical);

constexpr auto kDispatchFields = bound_to<DispatchRow>(
    kId, kRecordedId, kKernel, kKernelId, kStart.if_known(), kAt, kDuration.if_known(),
    kEnd.if_known(), kAgent, kQueue, kStream,
    column<&DispatchRow::lane, &Lane::thread>("thread", "launching host thread; null when unknown")
        .in(Unit::none)
        .or_null(),
    kGrid, kWorkgroup, kLds, kScratch, kSlack, kCritical);

/// What rows are made of; kept alive by whoever reads them later. `slack` and `path` may be empty where the recording has no times.
struct Parts {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Slack> slack;
  std::shared_ptr<const CriticalPath> path;
  std::vector<std::uint32_t> rows;
  std::int64_t origin_ns = 0;

  [[nodiscard]] DispatchRow dispatch(std::uint32_t row) const {
    return {trace.get(), row, trace->has_times(), origin_ns, slack.get(), path.get()};
  }
};

/// Rows in the order asked for, `limit` of them (0: all).
Result<std::vector<std::uint32_t>> ordered(const Parts& parts, const DispatchQuery& query,
                                           const DispatchesArgs& args) {
  const std::size_t most =
      args.limit <= 0 ? parts.trace->size() : static_cast<std::size_t>(args.limit);
  if (args.sort == "duration") return longest(*parts.trace, query, most);
  if (args.sort == "start") return matching_rows(*parts.trace, query, most);
  auto rows = TRY(matching_rows(*parts.trace, query, parts.trace->size()));
  std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
    return parts.slack->at(a) < parts.slack->at(b);
  });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

Result<Document> info_dispatches(const DispatchesArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const DispatchQuery query = TRY(query_of(inputs.workspace, *now.trace, args));
  auto parts = std::make_shared<Parts>();
  parts->trace = now.trace;
  parts->origin_ns = origin_of(*now.trace);
  parts->slack = TRY(slack_of(inputs, now));
  parts->path = TRY(path_of(inputs, now));
  parts->rows = TRY(ordered(*parts, query, args));
  const DurationSummary all = TRY(summarize(*now.trace, query));
  Document out;
  if (all.calls > parts->rows.size()) out.total_rows = all.calls;
  if (const auto why = no_times(*now.trace)) out.notes.push_back(*why);
  if (const auto why = nothing_ran(*now.trace))
    out.notes.push_back(*why);
  else if (all.calls == 0)
    out.notes.emplace_back("no dispatch matches");
  if (!parts->rows.empty()) {
    const std::string first = fmt::format("d{}", parts->rows.front() + 1);
    out.next = {"info dispatch " + first, "select " + first, "info dispatches --sort duration"};
  }
  const std::size_t count = parts->rows.size();
  out.stream(kDispatchColumns, count,
             [parts = std::shared_ptr<const Parts>(std::move(parts))](std::size_t i) {
               return parts->dispatch(parts->rows[i]);
             });
  out.provenance = provenance_of(*now.trace);
  return out;
}

struct DispatchArgs {
  std::string dispatch;
};

/// The dispatch that a command means: what was named, the selected one, else the first.
Result<std::uint32_t> chosen(const Workspace& workspace, const Trace& trace,
                             const std::string& reference) {
  if (!reference.empty() || workspace.selection.dispatch) {
    return resolve_dispatch(workspace, trace, reference);
  }
  if (const auto why = nothing_ran(trace))
    return fail(Errc::not_found, "there is no dispatch to show", *why);
  return 0U;
}

/// What a dispatch waited for.
struct EdgeInto {
  std::string_view evidence;
  std::string from, name;
  std::int64_t wait_ns = 0;
};

constexpr auto kEdgeIntoColumns = bound_to<EdgeInto>(
    column<&EdgeInto::evidence>("evidence", "class of the edge"),
    column<&EdgeInto::from>("from", "dispatch, copy, API call or host wait").as(Type::id),
    column<&EdgeInto::name>("name", "what that is"),
    column<&EdgeInto::wait_ns>("wait_ns",
                               "from its end (a call: its start) to the start of the dispatch; "
                               "negative: they overlap"));

std::vector<EdgeInto> edges_into(const Graph& graph, std::uint32_t row) {
  std::vector<EdgeInto> rows;
  for (const GraphEdge& edge : graph.edges_into(row)) {
    const GraphNode from = graph.node(edge.from);
    const bool runs = edge.from < graph.operations();
    rows.push_back({to_string(edge.edge_class),
                    runs ? operation_id(graph, edge.from)
                         : fmt::format("{}{}", from.kind == NodeKind::host_sync ? "wait" : "call",
                                       from.row + 1),
                    runs ? short_name(graph, edge.from) : std::string(to_string(from.kind)),
                    edge.wait_ns});
  }
  return rows;
}

Result<Document> info_dispatch(const DispatchArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const Trace& trace = *now.trace;
  const std::uint32_t row = TRY(chosen(inputs.workspace, trace, args.dispatch));
  Document out;
  Parts parts;
  parts.trace = now.trace;
  std::vector<EdgeInto> edges;
  if (const auto why = no_times(trace)) {
    out.notes.push_back(*why);
  } else {
    parts.origin_ns = origin_of(trace);
    parts.slack = TRY(slack_of(inputs, now));
    parts.path = TRY(path_of(inputs, now));
    edges = edges_into(*TRY(graph_of(inputs, now)), row);
  }
  const DispatchRow dispatch = parts.dispatch(row);
  out.put(kDispatchFields, dispatch);
  out.table(kEdgeIntoColumns, edges);
  out.provenance = provenance_of(trace);
  out.next = {"select " + dispatch.id(), "backtrace"};
  return out;
}

}  // namespace

void add_dispatch_commands(Registry& registry) {
  add(registry,
      command<DispatchesArgs>(
          Command{.path = "info dispatches",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "List dispatches, in order of start, duration or slack.",
                  .help = "One row for each launch. Slack and the critical path come from the "
                          "dependency graph, which is built "
                          "when it is needed first. Rows are made as they are read, so that any "
                          "number of them can be "
                          "written to a file.",
                  .columns = described(kDispatchColumns),
                  .scalar = "id",
                  .examples = {"info dispatches TRACE --limit 3",
                               "info dispatches TRACE --sort duration --limit 3"}},
          with_filters<DispatchesArgs>(
              {option("sort", &DispatchesArgs::sort, "order of the rows")
                   .one_of({"start", "duration", "slack"}),
               option("limit", &DispatchesArgs::limit, "at most so many rows; 0 shows all")
                   .in(at_least(0))}),
          info_dispatches));
  add(registry,
      command(Command{.path = "info dispatch",
                      .does = kReads,
                      .chapter = Class::status,
                      .summary = "Show one dispatch and what it came after.",
                      .help = "Without an id it shows the selected dispatch, else the first. The "
                              "table has the edges of the "
                              "dependency graph that end in it: their evidence, where they come "
                              "from, and how long "
                              "after that it started.",
                      .fields = described(kDispatchFields),
                      .columns = described(kEdgeIntoColumns),
                      .scalar = "duration_ns",
                      .examples = {"info dispatch d1 --trace TRACE"}},
              {arg("dispatch", &DispatchArgs::dispatch, "dispatch to show: d12")
                   .completes(Complete::dispatch)},
              info_dispatch));
}

}  // namespace rpl
