// SPDX-License-Identifier: MIT
// dag summary, nodes, edges: the dependency graph as an object.
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "engine/plot/paint.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

std::string node_name(const Graph& graph, NodeId id) {
  if (id < graph.operations()) return operation_id(graph, id);
  const GraphNode node = graph.node(id);
  return fmt::format("{}{}", node.kind == NodeKind::host_sync ? "wait" : "call", node.row + 1);
}

struct DagFacts {
  const EdgeCounts* counts = nullptr;
  std::size_t memory_bytes = 0;

  [[nodiscard]] double evidenced_share() const {
    return share_of(static_cast<std::int64_t>(counts->evidenced),
                    static_cast<std::int64_t>(counts->operations));
  }
};

constexpr auto kDagFields = bound_to<DagFacts>(
    column<&DagFacts::counts, &EdgeCounts::operations>("operations", "dispatches and copies"),
    column<&DagFacts::counts, &EdgeCounts::total>("edges", "all edges"),
    column<&DagFacts::counts, &EdgeCounts::evidenced>(
        "evidenced", "operations with a recorded reason to start when they did"),
    column<&DagFacts::evidenced_share>("evidenced_share", "evidenced / operations"),
    column<&DagFacts::counts, &EdgeCounts::concurrent>(
        "concurrent", "operations that overlap the one before them in their stream or queue"),
    column<&DagFacts::memory_bytes>("memory_bytes", "held for edges"));

struct ClassRow {
  EdgeClass evidence = EdgeClass::stream_order;
  std::uint64_t edges = 0;
  double share = 0;
};

constexpr auto kClassColumns =
    bound_to<ClassRow>(column<&ClassRow::evidence>("evidence", "class"),
                       column<&ClassRow::edges>("edges", "of this class"),
                       column<&ClassRow::share>("share", "of all edges"));

Result<Document> dag_summary(Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  const EdgeCounts& counts = graph->edge_counts();
  std::vector<ClassRow> classes;
  for (std::size_t i = 0; i < kEdgeClasses; ++i) {
    classes.push_back({static_cast<EdgeClass>(i), counts.by_class[i],
                       share_of(static_cast<std::int64_t>(counts.by_class[i]),
                                static_cast<std::int64_t>(counts.total()))});
  }
  Document out;
  out.put(kDagFields, DagFacts{&counts, graph->bytes()});
  out.table(kClassColumns, classes);
  for (const std::string& note : graph->notes()) out.notes.push_back(note);
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  out.next = {"dag edges --class inferred", "critpath", "export dot -o dag.dot"};
  return out;
}

struct NodeRow {
  const Graph* graph = nullptr;
  GraphNode node;

  [[nodiscard]] std::string id() const { return node_name(*graph, node.id); }
  [[nodiscard]] std::int64_t at_ns() const { return node.start_ns - graph->span_ns().first; }
  [[nodiscard]] std::int64_t duration_ns() const { return node.end_ns - node.start_ns; }
  [[nodiscard]] std::optional<std::string> name() const {
    if (node.id < graph->operations()) return std::string(operation_name(*graph, node.id));
    if (node.kind != NodeKind::launch_call || !graph->api()) return std::nullopt;
    return graph->api()->names[graph->api()->rows[node.row].name];
  }
};

constexpr auto kNodeColumns = bound_to<NodeRow>(
    column<&NodeRow::id>("id", "d12, copy3, wait4, call5").as(Type::id),
    column<&NodeRow::node, &GraphNode::kind>("kind", "dispatch, copy, host_sync or launch_call"),
    column<&NodeRow::at_ns>("at_ns", "begin, from the beginning of the trace"),
    column<&NodeRow::duration_ns>("duration_ns", "end - begin"),
    column<&NodeRow::name>("name", "kernel, copy or call").as(Type::kernel));

Result<Document> dag_nodes(Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  Document out;
  out.stream(kNodeColumns, [graph] {
    return [graph, cursor = NodeCursor(*graph)](NodeRow& row) mutable {
      row.graph = graph.get();
      return cursor.next(row.node);
    };
  });
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  out.next = {"dag edges", "critpath", "slack"};
  return out;
}

struct EdgeRow {
  const Graph* graph = nullptr;
  GraphEdge edge;

  [[nodiscard]] std::string from() const { return node_name(*graph, edge.from); }
  [[nodiscard]] std::string to() const { return node_name(*graph, edge.to); }
};

constexpr auto kEdgeColumns = bound_to<EdgeRow>(
    column<&EdgeRow::from>("from", "earlier node").as(Type::id),
    column<&EdgeRow::to>("to", "later node"),
    column<&EdgeRow::edge, &GraphEdge::edge_class>("evidence", "class of the edge"),
    column<&EdgeRow::edge, &GraphEdge::wait_ns>(
        "wait_ns", "start of the later minus end of the earlier; negative where they overlap"));

struct EdgesArgs {
  std::string edge_class;
};

Result<Document> dag_edges(const EdgesArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  Document out;
  out.stream(kEdgeColumns, [graph, only = args.edge_class] {
    return [graph, only, cursor = EdgeCursor(*graph)](EdgeRow& row) mutable {
      row.graph = graph.get();
      while (cursor.next(row.edge)) {
        if (only.empty() || to_string(row.edge.edge_class) == only) return true;
      }
      return false;
    };
  });
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  out.next = {"dag nodes", "critpath"};
  return out;
}

void add_dag_summary(Registry& registry) {
  add(registry,
      command(
          Command{.path = "dag summary",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Say how many edges the graph has, by class of evidence.",
                  .help =
                      "Evidence classes, strongest first: stream_order, queue_order, event, "
                      "host_sync, launch; `inferred` "
                      "edges rest on time alone. `evidenced` counts the operations with at least "
                      "one edge that "
                      "is not a guess.",
                  .fields = described(kDagFields),
                  .columns = described(kClassColumns),
                  .scalar = "edges",
                  .aliases = {"info dag"},
                  .examples = {"dag summary TRACE"}},
          dag_summary));
}

void add_dag_nodes(Registry& registry) {
  add(registry,
      command(Command{.path = "dag nodes",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "List the nodes of the dependency graph.",
                      .help = "Dispatches, copies, host waits, and the API calls that launched "
                              "something, made as they are read.",
                      .columns = described(kNodeColumns),
                      .scalar = "id",
                      .examples = {"dag nodes TRACE --limit 3"}},
              dag_nodes));
}

void add_dag_edges(Registry& registry) {
  add(registry, command(Command{.path = "dag edges",
                                .does = kReads,
                                .chapter = Class::analysis,
                                .summary = "List the edges of the dependency graph.",
                                .help = "Ordered by the node they end in, made as they are read.",
                                .columns = described(kEdgeColumns),
                                .scalar = "evidence",
                                .examples = {"dag edges TRACE --limit 3"}},
                        {option("class", &EdgesArgs::edge_class, "only edges with this evidence")
                             .one_of({"stream_order", "queue_order", "event", "host_sync", "launch",
                                      "inferred"})},
                        dag_edges));
}

}  // namespace

void add_dag_commands(Registry& registry) {
  add_dag_summary(registry);
  add_dag_nodes(registry);
  add_dag_edges(registry);
}

}  // namespace rpl
