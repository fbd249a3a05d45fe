// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

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
/// Keeps a structure that a program handed over for a node.
template <class Structure>
void keep_given(GraphNode& node, const Structure& structure) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&structure);
  node.given.assign(bytes, bytes + sizeof(structure));
}
/// The structure again. False where the program handed over none of this kind, or `out` is null.
template <class Structure>
bool give_given(const GraphNode& node, Structure* out) {
  if (out == nullptr || node.given.size() != sizeof(*out)) return false;
  std::memcpy(out, node.given.data(), sizeof(*out));
  return true;
}
/// Whether both have nodes of the same kinds, in the same order, behind as many others.
bool same_shape(const Graph& one, const Graph& other);
/// Destroys a graph that nobody has a handle of: gives up its objects and what it alone allocates.
void forget(Call& call, std::unique_ptr<Graph> graph);
/// A copy that a program can have or launch, which keeps the same objects alive.
std::unique_ptr<Graph> copy_with_objects(const Graph& graph,
                                         std::map<const GraphNode*, GraphNode*>& copies);
/// Gives up references to an object; with the last one it is destroyed, by a function of the host.
void release(Call& call, UserObject& object, std::uint64_t references);
/// Hands a graph out and ends the call.
int give_graph(Call& call, void** where, std::unique_ptr<Graph> graph);

}  // namespace rpl::emu::hip
