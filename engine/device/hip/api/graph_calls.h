// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/hip/api/call.h"

/// What the functions about graphs share. Handles are checked: null for none that is known.
namespace rpl::emu::hip {

Graph* graph_of(const Call& call, const void* handle);
GraphNode* node_of(const Call& call, const void* handle);
GraphExec* executable_of(const Call& call, const void* handle);
/// The nodes of the graph behind handles. False when one is of another graph.
bool nodes_of(Graph& graph, void* const* handles, std::size_t count, std::vector<GraphNode*>& out);
/// hipGraphNodeType, by the numbers of the interface that the program was built for.
int type_of(const GraphNode& node);
/// What an executable graph has of a node of the graph that it was made of; null for none.
inline GraphNode* copy_in(GraphExec* executable, const GraphNode* node) {
  if (executable == nullptr || node == nullptr) return nullptr;
  const auto found = executable->copies.find(node);
  return found == executable->copies.end() ? nullptr : found->second;
}

/// Adds a node behind `count` others and ends the call.
int add_node(Call& call, void** node, void* graph, void* const* after, std::size_t count,
             GraphNode::Work work);
/// Hands a graph out and ends the call.
int give_graph(Call& call, void** where, std::unique_ptr<Graph> graph);

}  // namespace rpl::emu::hip
