// SPDX-License-Identifier: MIT
#include "engine/graph/graph.h"
#include "engine/graph/graph_arrays.h"

namespace rpl {

NodeCursor::NodeCursor(const Graph& graph) : graph_(graph) {
  const GraphArrays& arrays = graph.arrays();
  if (arrays.launch_call.empty()) return;
  launching_.assign(arrays.api->rows.size(), false);
  for (const std::uint32_t call : arrays.launch_call) {
    if (call != kNone) launching_[call] = true;
  }
}

bool NodeCursor::next(GraphNode& node) {
  const GraphArrays& arrays = graph_.arrays();
  const NodeId first_call = arrays.call_node(0);
  while (next_ >= first_call && next_ - first_call < launching_.size() &&
         !launching_[next_ - first_call]) {
    ++next_;
  }
  if (next_ >= first_call && next_ - first_call >= launching_.size()) return false;
  node = graph_.node(next_++);
  return true;
}

EdgeCursor::EdgeCursor(const Graph& graph) : graph_(graph) {}

bool EdgeCursor::next(GraphEdge& edge) {
  const GraphArrays& arrays = graph_.arrays();
  while (given_ == held_.size()) {
    if (next_ == arrays.call_node(0)) return false;
    held_ = graph_.edges_into(next_++);
    given_ = 0;
  }
  edge = held_[given_++];
  return true;
}

}  // namespace rpl
