// SPDX-License-Identifier: MIT
#include "tests/engine/graph/reference_simulation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace rpl::testing {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

class Reference {
 public:
  Reference(const Graph& graph, const std::function<std::int64_t(NodeId)>& duration)
      : graph_(graph), duration_(duration) {}

  /// The end of an operation, the shift of a wait.
  std::int64_t value(NodeId node) {
    const auto known = values_.find(node);
    if (known != values_.end()) return known->second;
    const GraphNode now = graph_.node(node);
    const bool wait = now.kind == NodeKind::host_sync;
    const std::int64_t value = wait ? wait_shift(now) : operation_end(now);
    values_[node] = value;
    return value;
  }

 private:
  std::int64_t operation_end(const GraphNode& node) {
    std::int64_t recorded = kNever;
    std::int64_t simulated = kNever;
    std::int64_t shift = 0;
    std::optional<std::int64_t> called;
    for (const GraphEdge& edge : graph_.edges_into(node.id)) {
      if (edge.edge_class == EdgeClass::host_sync) {
        shift = value(edge.from);
      } else if (edge.edge_class == EdgeClass::launch) {
        called = std::min(graph_.node(edge.from).start_ns, node.start_ns);
      } else {
        recorded = std::max(recorded, graph_.end_ns(edge.from));
        simulated = std::max(simulated, value(edge.from));
      }
    }
    if (called) {
      recorded = std::max(recorded, *called);
      simulated = std::max(simulated, *called + shift);
    }
    const std::int64_t start =
        recorded == kNever ? node.start_ns : simulated + node.start_ns - recorded;
    return start + duration_(node.id);
  }

  std::int64_t wait_shift(const GraphNode& node) {
    std::int64_t recorded = node.start_ns;
    std::int64_t simulated = node.start_ns;
    for (const GraphEdge& edge : graph_.edges_into(node.id)) {
      if (edge.from >= graph_.operations()) simulated += value(edge.from);
    }
    for (const GraphEdge& edge : graph_.edges_into(node.id)) {
      if (edge.from >= graph_.operations()) continue;
      recorded = std::max(recorded, graph_.end_ns(edge.from));
      simulated = std::max(simulated, value(edge.from));
    }
    return simulated - recorded;
  }

  const Graph& graph_;
  const std::function<std::int64_t(NodeId)>& duration_;
  std::map<NodeId, std::int64_t> values_;
};

}  // namespace

std::vector<std::int64_t> reference_ends(const Graph& graph,
                                         const std::function<std::int64_t(NodeId)>& duration) {
  Reference reference(graph, duration);
  std::vector<std::int64_t> ends;
  for (NodeId v = 0; v < graph.operations(); ++v) ends.push_back(reference.value(v));
  return ends;
}

std::int64_t last_of(const std::vector<std::int64_t>& ends) {
  return ends.empty() ? 0 : *std::ranges::max_element(ends);
}

}  // namespace rpl::testing
