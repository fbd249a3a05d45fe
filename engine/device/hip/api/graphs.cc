// SPDX-License-Identifier: MIT
// Graphs made by hand, and what launches them. Nodes run one after the other, in the stream that the graph is launched in.
#include <algorithm>
#include <bit>

#include "engine/device/hip/api/graph_calls.h"

namespace rpl::emu::hip {

namespace {

/// The graph itself and those that its nodes hold, until `looks` finds something.
template <class Found, class Look>
Found* in_graphs(Graph& graph, const Look& looks) {
  if (Found* found = looks(graph)) return found;
  for (const auto& node : graph.nodes) {
    const auto* child = std::get_if<ChildWork>(&node->work);
    if (Found* found = child == nullptr ? nullptr : in_graphs<Found>(*child->graph, looks))
      return found;
  }
  return nullptr;
}

/// Of those that were handed out, and those that streams are being captured into.
template <class Found, class Look>
Found* in_all_graphs(const Call& call, const Look& looks) {
  for (const auto& [key, graph] : call.process().graphs) {
    if (Found* found = in_graphs<Found>(*graph, looks)) return found;
  }
  for (Graph* graph : call.runtime().graphs_in_capture()) {
    if (Found* found = in_graphs<Found>(*graph, looks)) return found;
  }
  return nullptr;
}

}  // namespace

Graph* graph_of(const Call& call, const void* handle) {
  return in_all_graphs<Graph>(call,
                              [&](Graph& graph) { return &graph == handle ? &graph : nullptr; });
}

GraphNode* node_of(const Call& call, const void* handle) {
  return in_all_graphs<GraphNode>(call, [&](Graph& graph) { return graph.find(handle); });
}

GraphExec* executable_of(const Call& call, const void* handle) {
  const auto found = call.process().executables.find(handle);
  return found == call.process().executables.end() ? nullptr : found->second.get();
}

bool nodes_of(Graph& graph, void* const* handles, std::size_t count, std::vector<GraphNode*>& out) {
  if (handles == nullptr && count != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* node = graph.find(handles[i]);
    if (node == nullptr) return false;
    out.push_back(node);
  }
  return true;
}

int type_of(const GraphNode& node) {
  // In the order of GraphNode::Work; an event is waited for or recorded.
  constexpr int kEmpty = 5, kWaits = 6, kRecords = 7;
  constexpr int kAllocates = 10, kFrees = 11;
  constexpr int kTypes[] = {kEmpty, 0, 1, 2, 3, kRecords, 4, kAllocates};
  const auto* event = std::get_if<EventWork>(&node.work);
  const auto* memory = std::get_if<MemoryWork>(&node.work);
  const int type = event != nullptr && event->waits     ? kWaits
                   : memory != nullptr && memory->frees ? kFrees
                                                        : kTypes[node.work.index()];
  // Up to HIP 5 they count from 1.
  return type + (interface_version() == 5 ? 1 : 0);
}

bool same_shape(const Graph& one, const Graph& other) {
  return std::ranges::equal(one.nodes, other.nodes, [](const auto& a, const auto& b) {
    return a->work.index() == b->work.index() && a->after.size() == b->after.size();
  });
}

int add_node(Call& call, void** node, void* graph, void* const* after, std::size_t count,
             GraphNode::Work work) {
  Graph* known = graph_of(call, graph);
  std::vector<GraphNode*> before;
  if (node == nullptr || known == nullptr || !nodes_of(*known, after, count, before))
    return call.end(Code::invalid_value);
  *node = &known->add(std::move(work), std::move(before));
  return call.end(Code::success);
}

int give_graph(Call& call, void** where, std::unique_ptr<Graph> graph) {
  *where = graph.get();
  call.process().graphs[*where] = std::move(graph);
  return call.end(Code::success);
}

namespace {

bool has_memory(const Graph& graph) {
  return std::ranges::any_of(
      graph.nodes, [](const auto& node) { return std::holds_alternative<MemoryWork>(node->work); });
}

int instantiate(const char* name, void** executable, void* graph, std::uint64_t flags) {
  Call call(name, kHostCosts.create_ns);
  const Graph* known = graph_of(call, graph);
  // AMD's runtime takes one of them, or none.
  constexpr std::uint64_t kLastFlag = 8;
  if (executable == nullptr || known == nullptr || flags > kLastFlag ||
      (flags != 0 && !std::has_single_bit(flags)))
    return call.end(Code::invalid_value);
  // What it allocates has one address.
  if (has_memory(*known) && std::ranges::any_of(call.process().executables, [&](const auto& other) {
        return other.second->of == known;
      }))
    return call.end(Code::not_supported);
  auto made = std::make_unique<GraphExec>();
  made->flags = flags;
  made->of = known;
  made->graph = copy_with_objects(*known, made->copies);
  made->order = made->graph->order();
  if (made->order.size() != made->graph->nodes.size()) return call.end(Code::invalid_value);
  *executable = made.get();
  call.process().executables[*executable] = std::move(made);
  return call.end(Code::success);
}

int launch(const char* name, void* executable, void* stream) {
  Call call(name, kHostCosts.enqueue_ns, {on(stream)});
  const GraphExec* known = executable_of(call, executable);
  if (known == nullptr) return call.end(Code::invalid_value);
  constexpr std::uint64_t kFreesOnLaunch = 1;
  if ((known->flags & kFreesOnLaunch) != 0) call.runtime().free_left_over(known->order);
  Stream* const where = call.stream(stream);
  const auto call_host = [&](const HostWork& work) {
    call.runtime().host_knows(call.runtime().done_ns(*where));
    call.unlocked([&] { work.function(work.data); });
  };
  return call.end(call.runtime().do_nodes(call.thread(), known->order, where, call_host));
}

/// Kernels, copies and fills alone.
bool can_be_left_out(const GraphNode& node) {
  return std::holds_alternative<LaunchRequest>(node.work) ||
         std::holds_alternative<CopyWork>(node.work) || std::holds_alternative<FillWork>(node.work);
}

/// Lists handles as HIP does: `count` says how many fit and gets how many there are, where `out` is null; else how many were written.
int list(Call& call, const std::vector<GraphNode*>& nodes, void** out, std::size_t* count) {
  if (count == nullptr) return call.end(Code::invalid_value);
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return call.end(Code::success);
}

}  // namespace
}  // namespace rpl::emu::hip

using namespace rpl::emu::hip;

RPL_HIP hipGraphCreate(void** graph, unsigned flags) {
  Call call("hipGraphCreate", kHostCosts.create_ns);
  if (graph == nullptr || flags != 0) return call.end(Code::invalid_value);
  return give_graph(call, graph, std::make_unique<Graph>());
}
RPL_HIP hipGraphDestroy(void* graph) {
  Call call("hipGraphDestroy", kHostCosts.create_ns);
  auto found = call.process().graphs.extract(graph);
  if (found.empty()) return call.end(Code::invalid_value);
  for (const auto& [handle, executable] : call.process().executables) {
    if (executable->of == graph) executable->of = nullptr;
  }
  forget(call, std::move(found.mapped()));
  return call.end(Code::success);
}
RPL_HIP hipGraphClone(void** clone, void* graph) {
  Call call("hipGraphClone", kHostCosts.create_ns);
  const Graph* known = graph_of(call, graph);
  if (clone == nullptr || known == nullptr) return call.end(Code::invalid_value);
  if (has_memory(*known)) return call.end(Code::not_supported);
  std::map<const GraphNode*, GraphNode*> copies;
  auto made = copy_with_objects(*known, copies);
  made->clones = std::move(copies);
  return give_graph(call, clone, std::move(made));
}
RPL_HIP hipGraphInstantiate(void** executable, void* graph, void**, char*, std::size_t) {
  return instantiate("hipGraphInstantiate", executable, graph, 0);
}
RPL_HIP hipGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long flags) {
  return instantiate("hipGraphInstantiateWithFlags", executable, graph, flags);
}
RPL_HIP hipGraphInstantiateWithParams(void** executable, void* graph,
                                      abi::InstantiateParameters* wanted) {
  if (wanted == nullptr) return static_cast<int>(Code::invalid_value);
  const int code = instantiate("hipGraphInstantiateWithParams", executable, graph, wanted->flags);
  wanted->error_node = nullptr;
  wanted->result = code == 0 ? 0 : 1;
  return code;
}
RPL_HIP hipGraphExecGetFlags(void* executable, unsigned long long* flags) {
  Call call("hipGraphExecGetFlags", kHostCosts.call_ns);
  const GraphExec* known = executable_of(call, executable);
  if (known == nullptr || flags == nullptr) return call.end(Code::invalid_value);
  *flags = known->flags;
  return call.end(Code::success);
}
RPL_HIP hipGraphExecDestroy(void* executable) {
  Call call("hipGraphExecDestroy", kHostCosts.create_ns);
  auto found = call.process().executables.extract(executable);
  if (found.empty()) return call.end(Code::invalid_value);
  forget(call, std::move(found.mapped()->graph));
  return call.end(Code::success);
}
RPL_HIP hipGraphUpload(void* executable, void* stream) {
  Call call("hipGraphUpload", kHostCosts.enqueue_ns, {on(stream)});
  if (executable_of(call, executable) == nullptr) return call.end(Code::invalid_value);
  return call.end(call.stream(stream) == nullptr ? kNoStream : Code::success);
}
RPL_HIP hipGraphLaunch(void* executable, void* stream) {
  return launch("hipGraphLaunch", executable, stream);
}
RPL_HIP hipGraphLaunch_spt(void* executable, void* stream) {
  return launch("hipGraphLaunch_spt", executable,
                stream == nullptr ? reinterpret_cast<void*>(2) : stream);
}

// One of the same shape takes the place of what is launched; `result` says why not.
RPL_HIP hipGraphExecUpdate(void* executable, void* graph, void** error_node, int* result) {
  Call call("hipGraphExecUpdate", kHostCosts.create_ns);
  GraphExec* known = executable_of(call, executable);
  const Graph* wanted = graph_of(call, graph);
  if (known == nullptr || wanted == nullptr) return call.end(Code::invalid_value);
  constexpr int kSuccess = 0, kTopology = 2, kType = 3, kParameters = 5;
  const auto refuse = [&](int why, GraphNode* node = nullptr) {
    if (result != nullptr) *result = why;
    if (error_node != nullptr) *error_node = node;
    return call.end(Code::graph_update_failure);
  };
  if (error_node != nullptr) *error_node = nullptr;
  GraphExec made;
  made.graph = wanted->clone(made.copies);
  made.order = made.graph->order();
  const auto &now = known->graph->nodes, &next = made.graph->nodes;
  made.flags = known->flags;
  made.of = known->of;
  if (now.size() != next.size() || made.order.size() != next.size()) return refuse(kTopology);
  for (std::size_t i = 0; i < now.size(); ++i) {
    GraphNode* const node = wanted->nodes[i].get();
    if (now[i]->work.index() != next[i]->work.index()) return refuse(kType, node);
    if (now[i]->after.size() != next[i]->after.size()) return refuse(kTopology, node);
    const auto *copy = std::get_if<CopyWork>(&now[i]->work),
               *other = std::get_if<CopyWork>(&next[i]->work);
    if (copy != nullptr && copy->kind != other->kind) return refuse(kParameters, node);
  }
  // Nodes of the graph that it was made of keep naming theirs, by place.
  for (auto& [original, copy] : known->copies) {
    const auto at =
        std::ranges::find_if(now, [copy = copy](const auto& each) { return each.get() == copy; });
    made.copies[original] = next[static_cast<std::size_t>(at - now.begin())].get();
  }
  made.graph->objects = std::move(known->graph->objects);
  *known = std::move(made);
  if (result != nullptr) *result = kSuccess;
  return call.end(Code::success);
}

namespace {

/// Changes each of the edges; `change` says whether it could.
template <class Change>
int change_edges(Call& call, void* graph, void* const* from, void* const* to, std::size_t count,
                 const Change& change) {
  Graph* known = graph_of(call, graph);
  std::vector<GraphNode*> before, after;
  if (known == nullptr || !nodes_of(*known, from, count, before) ||
      !nodes_of(*known, to, count, after))
    return call.end(Code::invalid_value);
  for (std::size_t i = 0; i < count; ++i) {
    if (!change(*before[i], *after[i])) return call.end(Code::invalid_value);
  }
  return call.end(Code::success);
}

}  // namespace

RPL_HIP hipGraphAddDependencies(void* graph, void* const* from, void* const* to,
                                std::size_t count) {
  Call call("hipGraphAddDependencies", kHostCosts.call_ns);
  return change_edges(call, graph, from, to, count, [](GraphNode& before, GraphNode& after) {
    auto& waits = after.after;
    if (&before == &after || std::ranges::find(waits, &before) != waits.end()) return false;
    waits.push_back(&before);
    return true;
  });
}
RPL_HIP hipGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                   std::size_t count) {
  Call call("hipGraphRemoveDependencies", kHostCosts.call_ns);
  return change_edges(call, graph, from, to, count, [](GraphNode& before, GraphNode& after) {
    return std::erase(after.after, &before) != 0;
  });
}

RPL_HIP hipGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
  Call call("hipGraphGetNodes", kHostCosts.call_ns);
  const Graph* known = graph_of(call, graph);
  if (known == nullptr) return call.end(Code::invalid_value);
  std::vector<GraphNode*> all;
  for (const auto& node : known->nodes) all.push_back(node.get());
  return list(call, all, nodes, count);
}
RPL_HIP hipGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
  Call call("hipGraphGetRootNodes", kHostCosts.call_ns);
  const Graph* known = graph_of(call, graph);
  if (known == nullptr) return call.end(Code::invalid_value);
  std::vector<GraphNode*> roots;
  for (const auto& node : known->nodes) {
    if (node->after.empty()) roots.push_back(node.get());
  }
  return list(call, roots, nodes, count);
}
RPL_HIP hipGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
  Call call("hipGraphGetEdges", kHostCosts.call_ns);
  const Graph* known = graph_of(call, graph);
  if (known == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
    return call.end(Code::invalid_value);
  std::vector<GraphNode*> begins, ends;
  for (const auto& node : known->nodes) {
    for (GraphNode* before : node->after) {
      begins.push_back(before);
      ends.push_back(node.get());
    }
  }
  std::size_t again = *count;
  const int code = list(call, begins, from, count);
  return to == nullptr ? code : list(call, ends, to, &again);
}
RPL_HIP hipGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count) {
  Call call("hipGraphNodeGetDependencies", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  if (known == nullptr) return call.end(Code::invalid_value);
  return list(call, known->after, nodes, count);
}
RPL_HIP hipGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count) {
  Call call("hipGraphNodeGetDependentNodes", kHostCosts.call_ns);
  GraphNode* known = node_of(call, node);
  if (known == nullptr) return call.end(Code::invalid_value);
  std::vector<GraphNode*> out;
  for (const auto& other : known->graph->nodes) {
    if (std::ranges::find(other->after, known) != other->after.end()) out.push_back(other.get());
  }
  return list(call, out, nodes, count);
}
RPL_HIP hipGraphNodeGetType(void* node, int* type) {
  Call call("hipGraphNodeGetType", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  if (known == nullptr || type == nullptr) return call.end(Code::invalid_value);
  *type = type_of(*known);
  return call.end(Code::success);
}
RPL_HIP hipGraphDestroyNode(void* node) {
  Call call("hipGraphDestroyNode", kHostCosts.call_ns);
  GraphNode* known = node_of(call, node);
  if (known == nullptr) return call.end(Code::invalid_value);
  known->graph->remove(known);
  return call.end(Code::success);
}
RPL_HIP hipGraphNodeSetEnabled(void* executable, void* node, unsigned enabled) {
  Call call("hipGraphNodeSetEnabled", kHostCosts.call_ns);
  GraphNode* copy = copy_in(executable_of(call, executable), node_of(call, node));
  if (copy == nullptr || !can_be_left_out(*copy)) return call.end(Code::invalid_value);
  copy->enabled = enabled != 0;
  return call.end(Code::success);
}
RPL_HIP hipGraphNodeGetEnabled(void* executable, void* node, unsigned* enabled) {
  Call call("hipGraphNodeGetEnabled", kHostCosts.call_ns);
  const GraphNode* copy = copy_in(executable_of(call, executable), node_of(call, node));
  if (copy == nullptr || enabled == nullptr || !can_be_left_out(*copy))
    return call.end(Code::invalid_value);
  *enabled = copy->enabled ? 1 : 0;
  return call.end(Code::success);
}
