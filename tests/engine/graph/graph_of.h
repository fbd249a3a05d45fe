// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/graph/critical_path.h"
#include "engine/graph/graph.h"
#include "engine/graph/slack.h"
#include "tests/support/tiny_trace.h"

namespace rpl::testing {

inline std::shared_ptr<const Graph> graph_of(const TinyTrace& tiny) {
  return Graph::build(tiny.build()).value();
}
inline std::shared_ptr<const Graph> graph_of(std::vector<TinyOp> ops) {
  return Graph::build(tiny_trace(std::move(ops))).value();
}
inline CriticalPath path_of(const Graph& graph) {
  return critical_path(graph, Slack::compute(graph).value()).value();
}
/// The edge of a class into a node; `from` is kNoNode when there is none.
inline GraphEdge edge_into(const Graph& graph, NodeId node, EdgeClass edge_class) {
  for (const GraphEdge& edge : graph.edges_into(node)) {
    if (edge.edge_class == edge_class) return edge;
  }
  return {};
}
inline std::int64_t nanoseconds(const CriticalPath& path, SegmentKind kind) {
  return path.segments_ns[static_cast<std::size_t>(kind)];
}

}  // namespace rpl::testing
