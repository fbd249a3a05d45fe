// SPDX-License-Identifier: MIT
// info dispatches and info dispatch: single launches.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/interrupt.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/dispatch_filter.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct DispatchesArgs : DispatchFilterArgs {
  std::string sort = "start";
  std::int64_t limit = 0;
};

/// What rows are made of; kept alive by whoever reads them later.
struct Parts {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Slack> slack;
  std::shared_ptr<const CriticalPath> path;
  std::vector<std::uint32_t> rows;
  std::int64_t origin_ns = 0;
};

void fill(Row& out, const Parts& parts, std::uint32_t row) {
  const Trace& trace = *parts.trace;
  const Launch& launch = trace.launch(row);
  const Lane& lane = trace.lane(row);
  out.resize(13);
  out[0] = Value(fmt::format("d{}", row + 1));
  out[1] = Value(trace.dispatch_id(row));
  out[2] = launch.kernel == kNone ? Value() : Value(trace.kernels()[launch.kernel].name);
  out[3] = entity_id('a', lane.agent);
  out[4] = entity_id('q', lane.queue);
  out[5] = entity_id('s', lane.stream);
  out[9] = dim3_value(launch.grid);
  out[10] = dim3_value(launch.workgroup);
  for (const std::size_t time : {6, 7, 8, 11, 12}) out[time] = Value();
  if (!trace.has_times()) return;
  out[6] = Value(trace.start_ns(row));
  out[7] = Value(trace.start_ns(row) - parts.origin_ns);
  out[8] = Value(trace.duration_ns(row));
  out[11] = Value(parts.slack->at(row));
  out[12] = Value(static_cast<bool>(parts.path->on_path[row]));
}

class Rows : public RowSource {
 public:
  explicit Rows(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  Result<bool> next(Row& row) override {
    if (next_ >= parts_->rows.size()) return false;
    fill(row, *parts_, parts_->rows[next_++]);
    return true;
  }

 private:
  std::shared_ptr<const Parts> parts_;
  std::size_t next_ = 0;
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

Result<Document> info_dispatches(Context& context, const DispatchesArgs& args) {
  if (args.limit < 0) return fail(Errc::usage, "--limit takes a count, 0 or more");
  const Loaded now = TRY(loaded(context));
  const DispatchQuery query = TRY(query_of(context, *now.trace, args));
  auto parts = std::make_shared<Parts>();
  parts->trace = now.trace;
  parts->origin_ns = origin_of(*now.trace);
  parts->slack = TRY(slack_of(context, now));
  parts->path = TRY(path_of(context, now));
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
  out.rows_from = [parts = std::shared_ptr<const Parts>(std::move(parts))] {
    return std::make_unique<Rows>(parts);
  };
  out.provenance = provenance_of(*now.trace);
  return out;
}

struct DispatchArgs {
  std::string dispatch;
};

void set_launch(Document& out, const Trace& trace, std::uint32_t row) {
  const Launch& launch = trace.launch(row);
  const Lane& lane = trace.lane(row);
  out.set("agent", entity_id('a', lane.agent));
  out.set("queue", entity_id('q', lane.queue));
  out.set("stream", entity_id('s', lane.stream));
  out.set("thread", Value::known(lane.thread));
  out.set("grid", dim3_value(launch.grid));
  out.set("workgroup", dim3_value(launch.workgroup));
  out.set("lds_bytes", std::uint64_t{launch.lds_bytes});
  out.set("scratch_bytes", std::uint64_t{launch.scratch_bytes});
}

/// The dispatch that a command means: what was named, the selected one, else the first.
Result<std::uint32_t> chosen(const Context& context, const Trace& trace,
                             const std::string& reference) {
  if (!reference.empty() || context.workspace.selection.dispatch) {
    return resolve_dispatch(context.workspace, trace, reference);
  }
  if (const auto why = nothing_ran(trace))
    return fail(Errc::not_found, "there is no dispatch to show", *why);
  return 0U;
}

/// When it ran, whether that matters, and what it waited for.
Status set_place_in_time(Context& context, const Loaded& now, std::uint32_t row, Document& out) {
  const Trace& trace = *now.trace;
  const auto graph = TRY(graph_of(context, now));
  const auto slack = TRY(slack_of(context, now));
  const auto path = TRY(path_of(context, now));
  out.set("start_ns", trace.start_ns(row));
  out.set("at_ns", trace.start_ns(row) - origin_of(trace));
  out.set("duration_ns", trace.duration_ns(row));
  out.set("end_ns", trace.end_ns(row));
  out.set("slack_ns", slack->at(row));
  out.set("critical", static_cast<bool>(path->on_path[row]));
  for (const GraphEdge& edge : graph->edges_into(row)) {
    const GraphNode from = graph->node(edge.from);
    const bool runs = edge.from < graph->operations();
    out.rows.push_back(
        {Value(to_string(edge.edge_class)),
         Value(runs ? operation_id(*graph, edge.from)
                    : fmt::format("{}{}", from.kind == NodeKind::host_sync ? "wait" : "call",
                                  from.row + 1)),
         runs ? Value(short_name(*graph, edge.from)) : Value(to_string(from.kind)),
         Value(edge.wait_ns)});
  }
  return {};
}

Result<Document> info_dispatch(Context& context, const DispatchArgs& args) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  const std::uint32_t row = TRY(chosen(context, trace, args.dispatch));
  const std::uint32_t kernel = trace.kernel_of(row);
  Document out;
  out.set("id", fmt::format("d{}", row + 1));
  out.set("dispatch_id", trace.dispatch_id(row));
  out.set("kernel", kernel == kNone ? Value() : Value(trace.kernels()[kernel].name));
  out.set("kernel_id", kernel == kNone ? Value() : Value(trace.kernels()[kernel].id));
  set_launch(out, trace, row);
  if (const auto why = no_times(trace)) {
    out.notes.push_back(*why);
  } else {
    TRY(set_place_in_time(context, now, row, out));
  }
  out.provenance = provenance_of(trace);
  out.next = {"select " + fmt::format("d{}", row + 1), "backtrace"};
  return out;
}

const std::vector<Column> kDispatchColumns{
    {"id", Type::id, Unit::none, "d1, d2, … in the order of their starts"},
    {"dispatch_id", Type::integer, Unit::none, "id in the recording, unique within its process",
     InText::if_room},
    {"kernel", Type::kernel, Unit::none, "name of the kernel"},
    {"agent", Type::id, Unit::none, "device", InText::if_room},
    {"queue", Type::id, Unit::none, "hardware queue", InText::if_room},
    {"stream", Type::id, Unit::none, "HIP stream"},
    {"start_ns", Type::integer, Unit::none, "begin, as recorded: ns since boot for rocpd",
     InText::never},
    {"at_ns", Type::integer, Unit::ns, "begin, from the beginning of the trace"},
    {"duration_ns", Type::integer, Unit::ns, "end - begin"},
    {"grid", Type::dim3, Unit::none, "work-items", InText::if_room},
    {"workgroup", Type::dim3, Unit::none, "work-items", InText::if_room},
    {"slack_ns", Type::integer, Unit::ns,
     "by how much it could end later without the trace ending later"},
    {"critical", Type::boolean, Unit::none, "whether it is on the critical path"},
};

const std::vector<Column> kDispatchFields{
    {"id", Type::id, Unit::none, "d1, d2, … in the order of their starts"},
    {"dispatch_id", Type::integer, Unit::none, "id in the recording"},
    {"kernel", Type::kernel, Unit::none, "name of the kernel"},
    {"kernel_id", Type::id, Unit::none, "id of the kernel"},
    {"start_ns", Type::integer, Unit::none, "begin, as recorded: ns since boot for rocpd"},
    {"at_ns", Type::integer, Unit::ns, "begin, from the beginning of the trace"},
    {"duration_ns", Type::integer, Unit::ns, "end - begin"},
    {"end_ns", Type::integer, Unit::none, "end, as recorded"},
    {"agent", Type::id, Unit::none, "device"},
    {"queue", Type::id, Unit::none, "hardware queue"},
    {"stream", Type::id, Unit::none, "HIP stream"},
    {"thread", Type::integer, Unit::none, "launching host thread; null when unknown"},
    {"grid", Type::dim3, Unit::none, "work-items"},
    {"workgroup", Type::dim3, Unit::none, "work-items"},
    {"lds_bytes", Type::integer, Unit::bytes, "LDS per workgroup, static and dynamic"},
    {"scratch_bytes", Type::integer, Unit::bytes, "scratch memory per work-item"},
    {"slack_ns", Type::integer, Unit::ns,
     "by how much it could end later without the trace ending later"},
    {"critical", Type::boolean, Unit::none, "whether it is on the critical path"},
};

}  // namespace

void add_dispatch_commands(Registry& registry) {
  add(registry,
      command<DispatchesArgs>(
          Command{.path = "info dispatches",
                  .chapter = Class::status,
                  .summary = "List dispatches, in order of start, duration or slack.",
                  .help = "One row for each launch. Slack and the critical path come from the "
                          "dependency graph, which is built "
                          "when it is needed first. Rows are made as they are read, so that any "
                          "number of them can be "
                          "written to a file.",
                  .columns = kDispatchColumns,
                  .scalar = "id",
                  .examples = {"info dispatches TRACE --limit 3",
                               "info dispatches TRACE --sort duration --limit 3"}},
          with_filters<DispatchesArgs>(
              {option("sort", &DispatchesArgs::sort, "order of the rows")
                   .one_of({"start", "duration", "slack"}),
               option("limit", &DispatchesArgs::limit, "at most so many rows; 0 shows all")}),
          info_dispatches));
  add(registry,
      command(Command{.path = "info dispatch",
                      .chapter = Class::status,
                      .summary = "Show one dispatch and what it came after.",
                      .help = "Without an id it shows the selected dispatch, else the first. The "
                              "table has the edges of the "
                              "dependency graph that end in it: their evidence, where they come "
                              "from, and how long "
                              "after that it started.",
                      .fields = kDispatchFields,
                      .columns = {{"evidence", Type::string, Unit::none, "class of the edge"},
                                  {"from", Type::id, Unit::none,
                                   "dispatch, copy, API call or host wait"},
                                  {"name", Type::string, Unit::none, "what that is"},
                                  {"wait_ns", Type::integer, Unit::ns,
                                   "from its end (a call: its start) to the start of the dispatch; "
                                   "negative: they overlap"}},
                      .scalar = "duration_ns",
                      .examples = {"info dispatch d1 --trace TRACE"}},
              {arg("dispatch", &DispatchArgs::dispatch, "dispatch to show: d12")
                   .completes(Complete::dispatch)},
              info_dispatch));
}

}  // namespace rpl
