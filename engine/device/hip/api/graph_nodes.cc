// SPDX-License-Identifier: MIT
// Nodes of graphs by kind: what is added, asked and changed of each.
#include <cstring>

#include "engine/device/hip/api/graph_calls.h"

namespace rpl::emu::hip {
namespace {

/// What programs hand over and ask for again; those of kernels hold pointers, to arguments that the node copies.
Code kernel_of(Call& call, const abi::KernelNode* wanted, GraphNode::Work& out) {
  if (wanted == nullptr || wanted->function == nullptr) return Code::invalid_value;
  Function* function = function_of(call, wanted->function);
  if (function == nullptr) return Code::invalid_device_function;
  LaunchRequest request{.function = function};
  if (!set_launch(request, *wanted)) return Code::invalid_value;
  out = std::move(request);
  return Code::success;
}

Code fill_of(const abi::FillNode* wanted, GraphNode::Work& out) {
  if (wanted == nullptr || wanted->to == nullptr) return Code::invalid_value;
  if (wanted->element_bytes != 1 && wanted->element_bytes != 2 && wanted->element_bytes != 4)
    return Code::invalid_value;
  out = FillWork{.to = wanted->to,
                 .value = wanted->value,
                 .size = wanted->element_bytes,
                 .pitch = wanted->pitch,
                 .width = wanted->width,
                 .height = wanted->height};
  return Code::success;
}

Code copy_of(Call& call, const abi::Copy3d* wanted, GraphNode::Work& out) {
  if (wanted == nullptr) return Code::invalid_value;
  CopyWork work;
  if (!box_of(*wanted, work)) {
    call.runtime().refuse("a node of a graph that copies an array");
    return Code::not_supported;
  }
  out = work;
  return Code::success;
}

GraphNode::Work line_of(void* to, const void* from, std::size_t bytes, int kind) {
  return CopyWork{.to = to, .from = from, .rows = {bytes, bytes, bytes, 1}, .kind = kind};
}

/// With a variable on one side.
Code symbol_of(Call& call, const void* shadow, void* other, std::size_t bytes, std::size_t offset,
               int kind, bool to_symbol, GraphNode::Work& out) {
  void* address = nullptr;
  std::uint64_t size = 0;
  if (const Code code = symbol_address(call, shadow, &address, &size); code != Code::success)
    return code;
  if (offset > size || bytes > size - offset) return Code::invalid_value;
  void* variable = static_cast<char*>(address) + offset;
  out = to_symbol ? line_of(variable, other, bytes, kind) : line_of(other, variable, bytes, kind);
  return Code::success;
}

/// Changes a node whose work is of the kind of `work`.
Code change(GraphNode* node, Code code, GraphNode::Work work) {
  if (code != Code::success) return code;
  if (node == nullptr || node->work.index() != work.index()) return Code::invalid_value;
  node->work = std::move(work);
  return Code::success;
}

int add(Call& call, void** node, void* graph, void* const* after, std::size_t count, Code code,
        GraphNode::Work work) {
  if (code != Code::success) return call.end(code);
  return add_node(call, node, graph, after, count, std::move(work));
}

GraphNode* copied(Call& call, void* executable, void* node) {
  return copy_in(executable_of(call, executable), node_of(call, node));
}

}  // namespace
}  // namespace rpl::emu::hip

using namespace rpl::emu::hip;

// kernels

RPL_HIP hipGraphAddKernelNode(void** node, void* graph, void* const* after, std::size_t count,
                              const abi::KernelNode* wanted) {
  Call call("hipGraphAddKernelNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = kernel_of(call, wanted, work);
  return add(call, node, graph, after, count, code, std::move(work));
}
RPL_HIP hipGraphKernelNodeSetParams(void* node, const abi::KernelNode* wanted) {
  Call call("hipGraphKernelNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = kernel_of(call, wanted, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphExecKernelNodeSetParams(void* executable, void* node,
                                        const abi::KernelNode* wanted) {
  Call call("hipGraphExecKernelNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = kernel_of(call, wanted, work);
  return call.end(change(copied(call, executable, node), code, std::move(work)));
}

// copies

RPL_HIP hipGraphAddMemcpyNode(void** node, void* graph, void* const* after, std::size_t count,
                              const abi::Copy3d* wanted) {
  Call call("hipGraphAddMemcpyNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = copy_of(call, wanted, work);
  return add(call, node, graph, after, count, code, std::move(work));
}
RPL_HIP hipGraphMemcpyNodeSetParams(void* node, const abi::Copy3d* wanted) {
  Call call("hipGraphMemcpyNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = copy_of(call, wanted, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphExecMemcpyNodeSetParams(void* executable, void* node, const abi::Copy3d* wanted) {
  Call call("hipGraphExecMemcpyNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = copy_of(call, wanted, work);
  return call.end(change(copied(call, executable, node), code, std::move(work)));
}
RPL_HIP hipGraphAddMemcpyNode1D(void** node, void* graph, void* const* after, std::size_t count,
                                void* to, const void* from, std::size_t bytes, int kind) {
  Call call("hipGraphAddMemcpyNode1D", kHostCosts.call_ns);
  return add_node(call, node, graph, after, count, line_of(to, from, bytes, kind));
}
RPL_HIP hipGraphMemcpyNodeSetParams1D(void* node, void* to, const void* from, std::size_t bytes,
                                      int kind) {
  Call call("hipGraphMemcpyNodeSetParams1D", kHostCosts.call_ns);
  return call.end(change(node_of(call, node), Code::success, line_of(to, from, bytes, kind)));
}
RPL_HIP hipGraphExecMemcpyNodeSetParams1D(void* executable, void* node, void* to, const void* from,
                                          std::size_t bytes, int kind) {
  Call call("hipGraphExecMemcpyNodeSetParams1D", kHostCosts.call_ns);
  return call.end(
      change(copied(call, executable, node), Code::success, line_of(to, from, bytes, kind)));
}
RPL_HIP hipGraphAddMemcpyNodeToSymbol(void** node, void* graph, void* const* after,
                                      std::size_t count, const void* shadow, const void* from,
                                      std::size_t bytes, std::size_t offset, int kind) {
  Call call("hipGraphAddMemcpyNodeToSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code =
      symbol_of(call, shadow, const_cast<void*>(from), bytes, offset, kind, true, work);
  return add(call, node, graph, after, count, code, std::move(work));
}
RPL_HIP hipGraphAddMemcpyNodeFromSymbol(void** node, void* graph, void* const* after,
                                        std::size_t count, void* to, const void* shadow,
                                        std::size_t bytes, std::size_t offset, int kind) {
  Call call("hipGraphAddMemcpyNodeFromSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = symbol_of(call, shadow, to, bytes, offset, kind, false, work);
  return add(call, node, graph, after, count, code, std::move(work));
}

// fills

RPL_HIP hipGraphAddMemsetNode(void** node, void* graph, void* const* after, std::size_t count,
                              const abi::FillNode* wanted) {
  Call call("hipGraphAddMemsetNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = fill_of(wanted, work);
  return add(call, node, graph, after, count, code, std::move(work));
}
RPL_HIP hipGraphMemsetNodeSetParams(void* node, const abi::FillNode* wanted) {
  Call call("hipGraphMemsetNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = fill_of(wanted, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphExecMemsetNodeSetParams(void* executable, void* node, const abi::FillNode* wanted) {
  Call call("hipGraphExecMemsetNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = fill_of(wanted, work);
  return call.end(change(copied(call, executable, node), code, std::move(work)));
}
RPL_HIP hipGraphMemsetNodeGetParams(void* node, abi::FillNode* out) {
  Call call("hipGraphMemsetNodeGetParams", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  const auto* work = known == nullptr ? nullptr : std::get_if<FillWork>(&known->work);
  if (work == nullptr || out == nullptr) return call.end(Code::invalid_value);
  *out = {work->to, work->size, work->height, work->pitch, work->value, work->width};
  return call.end(Code::success);
}

// functions of the host, events, other graphs, nothing

RPL_HIP hipGraphAddHostNode(void** node, void* graph, void* const* after, std::size_t count,
                            const abi::HostNode* wanted) {
  Call call("hipGraphAddHostNode", kHostCosts.call_ns);
  if (wanted == nullptr || wanted->function == nullptr) return call.end(Code::invalid_value);
  return add_node(call, node, graph, after, count, HostWork{wanted->function, wanted->data});
}
RPL_HIP hipGraphHostNodeSetParams(void* node, const abi::HostNode* wanted) {
  Call call("hipGraphHostNodeSetParams", kHostCosts.call_ns);
  if (wanted == nullptr || wanted->function == nullptr) return call.end(Code::invalid_value);
  return call.end(
      change(node_of(call, node), Code::success, HostWork{wanted->function, wanted->data}));
}
RPL_HIP hipGraphExecHostNodeSetParams(void* executable, void* node, const abi::HostNode* wanted) {
  Call call("hipGraphExecHostNodeSetParams", kHostCosts.call_ns);
  if (wanted == nullptr || wanted->function == nullptr) return call.end(Code::invalid_value);
  return call.end(change(copied(call, executable, node), Code::success,
                         HostWork{wanted->function, wanted->data}));
}
RPL_HIP hipGraphHostNodeGetParams(void* node, abi::HostNode* out) {
  Call call("hipGraphHostNodeGetParams", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  const auto* work = known == nullptr ? nullptr : std::get_if<HostWork>(&known->work);
  if (work == nullptr || out == nullptr) return call.end(Code::invalid_value);
  *out = {work->function, work->data};
  return call.end(Code::success);
}
RPL_HIP hipGraphAddEventRecordNode(void** node, void* graph, void* const* after, std::size_t count,
                                   void* event_) {
  Call call("hipGraphAddEventRecordNode", kHostCosts.call_ns);
  auto* known = static_cast<Event*>(event_);
  if (!call.runtime().is_event(known)) return call.end(Code::invalid_value);
  return add_node(call, node, graph, after, count, EventWork{known, false});
}
RPL_HIP hipGraphAddEventWaitNode(void** node, void* graph, void* const* after, std::size_t count,
                                 void* event_) {
  Call call("hipGraphAddEventWaitNode", kHostCosts.call_ns);
  auto* known = static_cast<Event*>(event_);
  if (!call.runtime().is_event(known)) return call.end(Code::invalid_value);
  return add_node(call, node, graph, after, count, EventWork{known, true});
}
RPL_HIP hipGraphAddChildGraphNode(void** node, void* graph, void* const* after, std::size_t count,
                                  void* child) {
  Call call("hipGraphAddChildGraphNode", kHostCosts.call_ns);
  const Graph* known = graph_of(call, child);
  if (known == nullptr || child == graph) return call.end(Code::invalid_value);
  std::map<const GraphNode*, GraphNode*> copies;
  return add_node(call, node, graph, after, count,
                  ChildWork{std::shared_ptr<Graph>(known->clone(copies))});
}
RPL_HIP hipGraphChildGraphNodeGetGraph(void* node, void** graph) {
  Call call("hipGraphChildGraphNodeGetGraph", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  const auto* work = known == nullptr ? nullptr : std::get_if<ChildWork>(&known->work);
  if (work == nullptr || graph == nullptr) return call.end(Code::invalid_value);
  *graph = work->graph.get();
  return call.end(Code::success);
}
RPL_HIP hipGraphAddEmptyNode(void** node, void* graph, void* const* after, std::size_t count) {
  Call call("hipGraphAddEmptyNode", kHostCosts.call_ns);
  return add_node(call, node, graph, after, count, std::monostate{});
}
