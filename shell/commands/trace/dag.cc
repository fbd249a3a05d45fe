// SPDX-License-Identifier: MIT
// dag summary, nodes, edges: the dependency graph as an object.
#include <fmt/format.h>

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

Result<Document> dag_summary(Context& context) {
  const Loaded now = TRY(loaded_with_times(context));
  const auto graph = TRY(graph_of(context, now));
  const EdgeCounts& counts = graph->edge_counts();
  Document out;
  out.set("operations", counts.operations);
  out.set("edges", counts.total());
  out.set("evidenced", counts.evidenced);
  out.set("evidenced_share", share_of(static_cast<std::int64_t>(counts.evidenced),
                                      static_cast<std::int64_t>(counts.operations)));
  out.set("concurrent", counts.concurrent);
  out.set("memory_bytes", std::uint64_t{graph->bytes()});
  for (std::size_t i = 0; i < kEdgeClasses; ++i) {
    out.rows.push_back({Value(to_string(static_cast<EdgeClass>(i))), Value(counts.by_class[i]),
                        Value(share_of(static_cast<std::int64_t>(counts.by_class[i]),
                                       static_cast<std::int64_t>(counts.total())))});
  }
  for (const std::string& note : graph->notes()) out.notes.push_back(note);
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  out.next = {"dag edges --class inferred", "critpath", "export dot -o dag.dot"};
  return out;
}

class NodeRows : public RowSource {
 public:
  explicit NodeRows(std::shared_ptr<const Graph> graph)
      : graph_(std::move(graph)), cursor_(*graph_) {}

  Result<bool> next(Row& row) override {
    GraphNode node;
    if (!cursor_.next(node)) return false;
    const bool runs = node.id < graph_->operations();
    row = {Value(node_name(*graph_, node.id)), Value(to_string(node.kind)),
           Value(node.start_ns - graph_->span_ns().first), Value(node.end_ns - node.start_ns),
           runs ? Value(operation_name(*graph_, node.id)) : call_name(node)};
    return true;
  }

 private:
  [[nodiscard]] Value call_name(const GraphNode& node) const {
    if (node.kind != NodeKind::launch_call || !graph_->api()) return {};
    return Value(graph_->api()->names[graph_->api()->rows[node.row].name]);
  }

  std::shared_ptr<const Graph> graph_;
  NodeCursor cursor_;
};

class EdgeRows : public RowSource {
 public:
  EdgeRows(std::shared_ptr<const Graph> graph, std::string only)
      : graph_(std::move(graph)), only_(std::move(only)), cursor_(*graph_) {}

  Result<bool> next(Row& row) override {
    GraphEdge edge;
    while (cursor_.next(edge)) {
      if (!only_.empty() && to_string(edge.edge_class) != only_) continue;
      row = {Value(node_name(*graph_, edge.from)), Value(node_name(*graph_, edge.to)),
             Value(to_string(edge.edge_class)), Value(edge.wait_ns)};
      return true;
    }
    return false;
  }

 private:
  std::shared_ptr<const Graph> graph_;
  std::string only_;
  EdgeCursor cursor_;
};

Result<Document> dag_nodes(Context& context) {
  const Loaded now = TRY(loaded_with_times(context));
  const auto graph = TRY(graph_of(context, now));
  Document out;
  out.rows_from = [graph] { return std::make_unique<NodeRows>(graph); };
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  out.next = {"dag edges", "critpath", "slack"};
  return out;
}

struct EdgesArgs {
  std::string edge_class;
};

Result<Document> dag_edges(Context& context, const EdgesArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  const auto graph = TRY(graph_of(context, now));
  Document out;
  out.rows_from = [graph, only = args.edge_class] {
    return std::make_unique<EdgeRows>(graph, only);
  };
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  out.next = {"dag nodes", "critpath"};
  return out;
}

void add_dag_summary(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "dag summary",
              .chapter = Class::analysis,
              .summary = "Say how many edges the graph has, by class of evidence.",
              .help = "Evidence classes, strongest first: stream_order, queue_order, event, "
                      "host_sync, launch; `inferred` "
                      "edges rest on time alone. `evidenced` counts the operations with at least "
                      "one edge that "
                      "is no guess.",
              .fields = {{"operations", Type::integer, Unit::count, "dispatches and copies"},
                         {"edges", Type::integer, Unit::count, "all edges"},
                         {"evidenced", Type::integer, Unit::count,
                          "operations with a recorded reason to start when they did"},
                         {"evidenced_share", Type::number, Unit::share, "evidenced / operations"},
                         {"concurrent", Type::integer, Unit::count,
                          "operations that overlap the one before them in their stream or queue"},
                         {"memory_bytes", Type::integer, Unit::bytes, "held for edges"}},
              .columns = {{"evidence", Type::string, Unit::none, "class"},
                          {"edges", Type::integer, Unit::count, "of this class"},
                          {"share", Type::number, Unit::share, "of all edges"}},
              .scalar = "edges",
              .aliases = {"info dag"},
              .examples = {"dag summary TRACE"}},
          dag_summary));
}

void add_dag_nodes(Registry& registry) {
  add(registry,
      command(Command{.path = "dag nodes",
                      .chapter = Class::analysis,
                      .summary = "List the nodes of the dependency graph.",
                      .help = "Dispatches, copies, host waits, and the API calls that launched "
                              "something, made as they are read.",
                      .columns = {{"id", Type::id, Unit::none, "d12, copy3, wait4, call5"},
                                  {"kind", Type::string, Unit::none,
                                   "dispatch, copy, host_sync or launch_call"},
                                  {"at_ns", Type::integer, Unit::ns,
                                   "begin, from the beginning of the trace"},
                                  {"duration_ns", Type::integer, Unit::ns, "end - begin"},
                                  {"name", Type::kernel, Unit::none, "kernel, copy or call"}},
                      .scalar = "id",
                      .examples = {"dag nodes TRACE --limit 3"}},
              dag_nodes));
}

void add_dag_edges(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "dag edges",
              .chapter = Class::analysis,
              .summary = "List the edges of the dependency graph.",
              .help = "Ordered by the node they end in, made as they are read.",
              .columns =
                  {{"from", Type::id, Unit::none, "earlier node"},
                   {"to", Type::string, Unit::none, "later node"},
                   {"evidence", Type::string, Unit::none, "class of the edge"},
                   {"wait_ns", Type::integer, Unit::ns,
                    "start of the later minus end of the earlier; negative where they overlap"}},
              .scalar = "evidence",
              .examples = {"dag edges TRACE --limit 3"}},
          {option("class", &EdgesArgs::edge_class, "only edges with this evidence")
               .one_of(
                   {"stream_order", "queue_order", "event", "host_sync", "launch", "inferred"})},
          dag_edges));
}

}  // namespace

void add_dag_commands(Registry& registry) {
  add_dag_summary(registry);
  add_dag_nodes(registry);
  add_dag_edges(registry);
}

}  // namespace rpl
