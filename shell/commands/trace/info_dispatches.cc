// SPDX-License-Identifier: MIT
// info dispatches and info dispatch: single launches.
#include <fmt/format.h>

#include <algorithm>

#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/dispatch_filter.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"

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

/// One dispatch. `parts->slack` and `path` may be empty where the recording has no times.
struct DispatchRow {
  const Parts* parts = nullptr;
  std::uint32_t row = 0;

  [[nodiscard]] const Trace& trace() const { return *parts->trace; }
  [[nodiscard]] const Launch& launch() const { return trace().launch(row); }
  [[nodiscard]] const Lane& lane() const { return trace().lane(row); }
  [[nodiscard]] const Kernel* kernel() const {
    return launch().kernel == kNone ? nullptr : &trace().kernels()[launch().kernel];
  }
  [[nodiscard]] std::string id() const { return fmt::format("d{}", row + 1); }
  [[nodiscard]] std::int64_t dispatch_id() const { return trace().dispatch_id(row); }
  [[nodiscard]] std::optional<std::string> agent() const { return entity_id('a', lane().agent); }
  [[nodiscard]] std::optional<std::string> queue() const { return entity_id('q', lane().queue); }
  [[nodiscard]] std::optional<std::string> stream() const { return entity_id('s', lane().stream); }
  /// A time, or a number that rests on times, where there are any.
  template <class T>
  [[nodiscard]] std::optional<T> timed(T value) const {
    return trace().has_times() ? std::optional(value) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> start_ns() const {
    return timed(trace().start_ns(row));
  }
  [[nodiscard]] std::optional<std::int64_t> end_ns() const { return timed(trace().end_ns(row)); }
  [[nodiscard]] std::optional<std::int64_t> at_ns() const {
    return timed(trace().start_ns(row) - parts->origin_ns);
  }
  [[nodiscard]] std::optional<std::int64_t> duration_ns() const {
    return timed(trace().duration_ns(row));
  }
  [[nodiscard]] std::optional<std::int64_t> slack_ns() const {
    if (!trace().has_times()) return std::nullopt;
    return parts->slack->at(row);
  }
  [[nodiscard]] std::optional<bool> critical() const {
    if (!trace().has_times()) return std::nullopt;
    return static_cast<bool>(parts->path->on_path[row]);
  }
};

// Each is described once; the table and the record choose from them.
constexpr auto kDispatchId =
    column<&DispatchRow::id>("id", "d1, d2, … in the order of their starts").as(Type::id);
constexpr auto kDispatchKernel =
    column<&DispatchRow::kernel, &Kernel::name>("kernel", "name of the kernel").as(Type::kernel);
constexpr auto kDispatchAgent = column<&DispatchRow::agent>("agent", "device").as(Type::id);
constexpr auto kDispatchQueue = column<&DispatchRow::queue>("queue", "hardware queue").as(Type::id);
constexpr auto kDispatchStream = column<&DispatchRow::stream>("stream", "HIP stream").as(Type::id);
constexpr auto kDispatchStart =
    column<&DispatchRow::start_ns>("start_ns", "begin, as recorded: ns since boot for rocpd")
        .in(Unit::none)
        .if_known();
constexpr auto kDispatchAt =
    column<&DispatchRow::at_ns>("at_ns", "begin, from the beginning of the trace").if_known();
constexpr auto kDispatchDuration =
    column<&DispatchRow::duration_ns>("duration_ns", "end - begin").if_known();
constexpr auto kDispatchGrid = column<&DispatchRow::launch, &Launch::grid>("grid", "work-items");
constexpr auto kDispatchWorkgroup =
    column<&DispatchRow::launch, &Launch::workgroup>("workgroup", "work-items");
constexpr auto kDispatchSlack =
    column<&DispatchRow::slack_ns>("slack_ns",
                                   "by how much it could end later without the trace ending later")
        .if_known();
constexpr auto kDispatchCritical =
    column<&DispatchRow::critical>("critical", "whether it is on the critical path").if_known();

constexpr auto kDispatchColumns = bound_to<DispatchRow>(
    kDispatchId,
    column<&DispatchRow::dispatch_id>("dispatch_id",
                                      "id in the recording, unique within its process")
        .in(Unit::none)
        .if_room(),
    kDispatchKernel, kDispatchAgent.if_room(), kDispatchQueue.if_room(), kDispatchStream,
    kDispatchStart.never(), kDispatchAt, kDispatchDuration, kDispatchGrid.if_room(),
    kDispatchWorkgroup.if_room(), kDispatchSlack, kDispatchCritical);

constexpr auto kDispatchFields = bound_to<DispatchRow>(
    kDispatchId,
    column<&DispatchRow::dispatch_id>("dispatch_id", "id in the recording").in(Unit::none),
    kDispatchKernel,
    column<&DispatchRow::kernel, &Kernel::id>("kernel_id", "id of the kernel").as(Type::id),
    kDispatchStart, kDispatchAt, kDispatchDuration,
    column<&DispatchRow::end_ns>("end_ns", "end, as recorded").in(Unit::none).if_known(),
    kDispatchAgent, kDispatchQueue, kDispatchStream,
    column<&DispatchRow::lane, &Lane::thread>("thread", "launching host thread; null when unknown")
        .in(Unit::none)
        .or_null(),
    kDispatchGrid, kDispatchWorkgroup,
    column<&DispatchRow::launch, &Launch::lds_bytes>("lds_bytes",
                                                     "LDS per workgroup, static and dynamic"),
    column<&DispatchRow::launch, &Launch::scratch_bytes>("scratch_bytes",
                                                         "scratch memory per work-item"),
    kDispatchSlack, kDispatchCritical);

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
  const DispatchQuery query = TRY(query_of(context.workspace(), *now.trace, args));
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
  const std::size_t count = parts->rows.size();
  out.stream(kDispatchColumns, count,
             [parts = std::shared_ptr<const Parts>(std::move(parts))](std::size_t i) {
               return DispatchRow{parts.get(), parts->rows[i]};
             });
  out.provenance = provenance_of(*now.trace);
  return out;
}

struct DispatchArgs {
  std::string dispatch;
};

/// The dispatch that a command means: what was named, the selected one, else the first.
Result<std::uint32_t> chosen(const Context& context, const Trace& trace,
                             const std::string& reference) {
  if (!reference.empty() || context.workspace().selection.dispatch) {
    return resolve_dispatch(context.workspace(), trace, reference);
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

Result<Document> info_dispatch(Context& context, const DispatchArgs& args) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  const std::uint32_t row = TRY(chosen(context, trace, args.dispatch));
  Document out;
  Parts parts;
  parts.trace = now.trace;
  std::vector<EdgeInto> edges;
  if (const auto why = no_times(trace)) {
    out.notes.push_back(*why);
  } else {
    parts.origin_ns = origin_of(trace);
    parts.slack = TRY(slack_of(context, now));
    parts.path = TRY(path_of(context, now));
    edges = edges_into(*TRY(graph_of(context, now)), row);
  }
  const DispatchRow dispatch{&parts, row};
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
                      .fields = described(kDispatchFields),
                      .columns = described(kEdgeIntoColumns),
                      .scalar = "duration_ns",
                      .examples = {"info dispatch d1 --trace TRACE"}},
              {arg("dispatch", &DispatchArgs::dispatch, "dispatch to show: d12")
                   .completes(Complete::dispatch)},
              info_dispatch));
}

}  // namespace rpl
