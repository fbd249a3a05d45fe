// SPDX-License-Identifier: MIT
// Nodes of graphs by kind: what is added, asked and changed of each.
#include <cstring>

#include "engine/device/hip/api/graph_calls.h"

namespace rpl::emu::hip {
namespace {

constexpr int kUnified = 4;       ///< hipMemoryType
constexpr int kAnyDirection = 4;  ///< hipMemcpyDefault

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

Code fill_of(Call& call, const abi::FillNode* wanted, GraphNode::Work& out) {
  if (wanted == nullptr || wanted->to == nullptr || wanted->height == 0) return Code::invalid_value;
  if (wanted->element_bytes != 1 && wanted->element_bytes != 2 && wanted->element_bytes != 4)
    return Code::invalid_value;
  const FillWork work{.to = wanted->to,
                      .value = wanted->value,
                      .size = wanted->element_bytes,
                      .pitch = wanted->pitch,
                      .width = wanted->width,
                      .height = wanted->height};
  out = work;
  return call.runtime().check_fill(work);
}

Code driver_fill_of(Call& call, const abi::DriverFillNode* wanted, GraphNode::Work& out) {
  if (wanted == nullptr) return Code::invalid_value;
  const abi::FillNode same{wanted->to,    wanted->element_bytes, wanted->height,
                           wanted->pitch, wanted->value,         wanted->width};
  return fill_of(call, &same, out);
}

Code copy_of(Call& call, const abi::Copy3d* wanted, GraphNode::Work& out) {
  if (wanted == nullptr) return Code::invalid_value;
  CopyWork work;
  if (!box_of(*wanted, work)) {
    call.runtime().refuse("a node of a graph that copies an array");
    return Code::not_supported;
  }
  out = work;
  return call.runtime().check_copy(call.thread(), work);
}

Code line_of(Call& call, void* to, const void* from, std::size_t bytes, int kind,
             GraphNode::Work& out) {
  const CopyWork work{.to = to, .from = from, .rows = {bytes, bytes, bytes, 1}, .kind = kind};
  out = work;
  return call.runtime().check_copy(call.thread(), work);
}

/// Where a side of a driver's copy begins; null for an array. Its memory is of the host, a device, or either.
char* begin_of(const abi::DriverCopySide& side, std::size_t row_bytes) {
  constexpr int kHost = 1, kDevice = 2;
  void* base = side.memory == kHost ? side.host : side.device;
  if (side.array != nullptr || base == nullptr) return nullptr;
  if (side.memory != kHost && side.memory != kDevice && side.memory != kUnified) return nullptr;
  return static_cast<char*>(base) + (side.z * side.height + side.y) * row_bytes + side.x_bytes;
}

Code driver_copy_of(Call& call, const abi::DriverCopy3d* wanted, GraphNode::Work& out) {
  if (wanted == nullptr) return Code::invalid_value;
  const auto pitch = [&](const abi::DriverCopySide& side) {
    return side.pitch == 0 ? wanted->width_bytes : side.pitch;
  };
  const auto &from = wanted->from, &to = wanted->to;
  CopyWork work{.to = begin_of(to, pitch(to)),
                .from = begin_of(from, pitch(from)),
                .rows = {pitch(to), pitch(from), wanted->width_bytes, wanted->height},
                .slices = wanted->depth,
                .to_slice = pitch(to) * to.height,
                .from_slice = pitch(from) * from.height,
                .kind = kAnyDirection};
  if (from.array != nullptr || to.array != nullptr) {
    call.runtime().refuse("a node of a graph that copies an array");
    return Code::not_supported;
  }
  out = work;
  return call.runtime().check_copy(call.thread(), work);
}

/// With a variable on one side.
Code symbol_of(Call& call, const void* shadow, void* other, std::size_t bytes, std::size_t offset,
               int kind, bool to_symbol, GraphNode::Work& out) {
  void* address = nullptr;
  std::uint64_t size = 0;
  if (const Code code = symbol_address(call, shadow, &address, &size); code != Code::success)
    return code;
  if (bytes == 0 || offset > size || bytes > size - offset) return Code::invalid_value;
  void* variable = static_cast<char*>(address) + offset;
  return to_symbol ? line_of(call, variable, other, bytes, kind, out)
                   : line_of(call, other, variable, bytes, kind, out);
}

/// Changes a node whose work is of the kind of `work`. What it is asked for again follows from its work, unless given() says otherwise.
Code change(GraphNode* node, Code code, GraphNode::Work work) {
  if (code != Code::success) return code;
  if (node == nullptr || node->work.index() != work.index()) return Code::invalid_value;
  if (auto* kernel = std::get_if<LaunchRequest>(&node->work))
    std::get<LaunchRequest>(work).cooperative = kernel->cooperative;
  node->work = std::move(work);
  node->given.clear();
  return Code::success;
}

/// Whether what was instantiated can take the copy: of the same direction, of something, and to another place.
Code check_changed(const GraphNode* node, Code code, const GraphNode::Work& work) {
  const auto* now = node == nullptr ? nullptr : std::get_if<CopyWork>(&node->work);
  const auto* next = std::get_if<CopyWork>(&work);
  if (code == Code::success && now != nullptr && next != nullptr &&
      (now->kind != next->kind || next->rows.width == 0 || next->to == next->from))
    return Code::invalid_value;
  return code;
}

template <class Structure>
Code change_to(GraphNode* node, Code code, GraphNode::Work work, const Structure* wanted) {
  const Code done = change(node, code, std::move(work));
  if (done == Code::success) keep_given(*node, *wanted);
  return done;
}

template <class Structure>
int add(Call& call, void** node, void* graph, void* const* after, std::size_t count, Code code,
        GraphNode::Work work, const Structure* wanted) {
  if (code != Code::success) return call.end(code);
  const int done = add_node(call, node, graph, after, count, std::move(work));
  if (done == 0) keep_given(*static_cast<GraphNode*>(*node), *wanted);
  return done;
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
  return add(call, node, graph, after, count, code, std::move(work), wanted);
}
RPL_HIP hipGraphKernelNodeSetParams(void* node, const abi::KernelNode* wanted) {
  Call call("hipGraphKernelNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = kernel_of(call, wanted, work);
  return call.end(change_to(node_of(call, node), code, std::move(work), wanted));
}
RPL_HIP hipGraphExecKernelNodeSetParams(void* executable, void* node,
                                        const abi::KernelNode* wanted) {
  Call call("hipGraphExecKernelNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = kernel_of(call, wanted, work);
  return call.end(change_to(copied(call, executable, node), code, std::move(work), wanted));
}

// copies

RPL_HIP hipGraphAddMemcpyNode(void** node, void* graph, void* const* after, std::size_t count,
                              const abi::Copy3d* wanted) {
  Call call("hipGraphAddMemcpyNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = copy_of(call, wanted, work);
  return add(call, node, graph, after, count, code, std::move(work), wanted);
}
RPL_HIP hipGraphMemcpyNodeSetParams(void* node, const abi::Copy3d* wanted) {
  Call call("hipGraphMemcpyNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = copy_of(call, wanted, work);
  return call.end(change_to(node_of(call, node), code, std::move(work), wanted));
}
RPL_HIP hipGraphExecMemcpyNodeSetParams(void* executable, void* node, const abi::Copy3d* wanted) {
  Call call("hipGraphExecMemcpyNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = copy_of(call, wanted, work);
  return call.end(change_to(copied(call, executable, node),
                            check_changed(copied(call, executable, node), code, work),
                            std::move(work), wanted));
}
RPL_HIP hipGraphAddMemcpyNode1D(void** node, void* graph, void* const* after, std::size_t count,
                                void* to, const void* from, std::size_t bytes, int kind) {
  Call call("hipGraphAddMemcpyNode1D", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = line_of(call, to, from, bytes, kind, work);
  if (code != Code::success) return call.end(code);
  return add_node(call, node, graph, after, count, std::move(work));
}
RPL_HIP hipGraphMemcpyNodeSetParams1D(void* node, void* to, const void* from, std::size_t bytes,
                                      int kind) {
  Call call("hipGraphMemcpyNodeSetParams1D", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = line_of(call, to, from, bytes, kind, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphExecMemcpyNodeSetParams1D(void* executable, void* node, void* to, const void* from,
                                          std::size_t bytes, int kind) {
  Call call("hipGraphExecMemcpyNodeSetParams1D", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = line_of(call, to, from, bytes, kind, work);
  return call.end(change(copied(call, executable, node),
                         check_changed(copied(call, executable, node), code, work),
                         std::move(work)));
}
RPL_HIP hipGraphAddMemcpyNodeToSymbol(void** node, void* graph, void* const* after,
                                      std::size_t count, const void* shadow, const void* from,
                                      std::size_t bytes, std::size_t offset, int kind) {
  Call call("hipGraphAddMemcpyNodeToSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code =
      symbol_of(call, shadow, const_cast<void*>(from), bytes, offset, kind, true, work);
  if (code != Code::success) return call.end(code);
  return add_node(call, node, graph, after, count, std::move(work));
}
RPL_HIP hipGraphAddMemcpyNodeFromSymbol(void** node, void* graph, void* const* after,
                                        std::size_t count, void* to, const void* shadow,
                                        std::size_t bytes, std::size_t offset, int kind) {
  Call call("hipGraphAddMemcpyNodeFromSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = symbol_of(call, shadow, to, bytes, offset, kind, false, work);
  if (code != Code::success) return call.end(code);
  return add_node(call, node, graph, after, count, std::move(work));
}
RPL_HIP hipGraphMemcpyNodeSetParamsToSymbol(void* node, const void* shadow, const void* from,
                                            std::size_t bytes, std::size_t offset, int kind) {
  Call call("hipGraphMemcpyNodeSetParamsToSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code =
      symbol_of(call, shadow, const_cast<void*>(from), bytes, offset, kind, true, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphMemcpyNodeSetParamsFromSymbol(void* node, void* to, const void* shadow,
                                              std::size_t bytes, std::size_t offset, int kind) {
  Call call("hipGraphMemcpyNodeSetParamsFromSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = symbol_of(call, shadow, to, bytes, offset, kind, false, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphExecMemcpyNodeSetParamsToSymbol(void* executable, void* node, const void* shadow,
                                                const void* from, std::size_t bytes,
                                                std::size_t offset, int kind) {
  Call call("hipGraphExecMemcpyNodeSetParamsToSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code =
      symbol_of(call, shadow, const_cast<void*>(from), bytes, offset, kind, true, work);
  return call.end(change(copied(call, executable, node),
                         check_changed(copied(call, executable, node), code, work),
                         std::move(work)));
}
RPL_HIP hipGraphExecMemcpyNodeSetParamsFromSymbol(void* executable, void* node, void* to,
                                                  const void* shadow, std::size_t bytes,
                                                  std::size_t offset, int kind) {
  Call call("hipGraphExecMemcpyNodeSetParamsFromSymbol", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = symbol_of(call, shadow, to, bytes, offset, kind, false, work);
  return call.end(change(copied(call, executable, node),
                         check_changed(copied(call, executable, node), code, work),
                         std::move(work)));
}

// fills

RPL_HIP hipGraphAddMemsetNode(void** node, void* graph, void* const* after, std::size_t count,
                              const abi::FillNode* wanted) {
  Call call("hipGraphAddMemsetNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = fill_of(call, wanted, work);
  return add(call, node, graph, after, count, code, std::move(work), wanted);
}
RPL_HIP hipGraphMemsetNodeSetParams(void* node, const abi::FillNode* wanted) {
  Call call("hipGraphMemsetNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = fill_of(call, wanted, work);
  return call.end(change(node_of(call, node), code, std::move(work)));
}
RPL_HIP hipGraphExecMemsetNodeSetParams(void* executable, void* node, const abi::FillNode* wanted) {
  Call call("hipGraphExecMemsetNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = fill_of(call, wanted, work);
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

// as the driver interface has them: with a context, of which each device has one

RPL_HIP hipDrvGraphAddMemcpyNode(void** node, void* graph, void* const* after, std::size_t count,
                                 const abi::DriverCopy3d* wanted, void*) {
  Call call("hipDrvGraphAddMemcpyNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = driver_copy_of(call, wanted, work);
  return add(call, node, graph, after, count, code, std::move(work), wanted);
}
RPL_HIP hipDrvGraphMemcpyNodeGetParams(void* node, abi::DriverCopy3d* out) {
  Call call("hipDrvGraphMemcpyNodeGetParams", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  return call.end(known != nullptr && give_given(*known, out) ? Code::success
                                                              : Code::invalid_value);
}
RPL_HIP hipDrvGraphMemcpyNodeSetParams(void* node, const abi::DriverCopy3d* wanted) {
  Call call("hipDrvGraphMemcpyNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = driver_copy_of(call, wanted, work);
  return call.end(change_to(node_of(call, node), code, std::move(work), wanted));
}
RPL_HIP hipDrvGraphExecMemcpyNodeSetParams(void* executable, void* node,
                                           const abi::DriverCopy3d* wanted, void*) {
  Call call("hipDrvGraphExecMemcpyNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = driver_copy_of(call, wanted, work);
  return call.end(change_to(copied(call, executable, node),
                            check_changed(copied(call, executable, node), code, work),
                            std::move(work), wanted));
}
RPL_HIP hipDrvGraphAddMemsetNode(void** node, void* graph, void* const* after, std::size_t count,
                                 const abi::DriverFillNode* wanted, void*) {
  Call call("hipDrvGraphAddMemsetNode", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = driver_fill_of(call, wanted, work);
  return add(call, node, graph, after, count, code, std::move(work), wanted);
}
RPL_HIP hipDrvGraphExecMemsetNodeSetParams(void* executable, void* node,
                                           const abi::DriverFillNode* wanted, void*) {
  Call call("hipDrvGraphExecMemsetNodeSetParams", kHostCosts.call_ns);
  GraphNode::Work work;
  const Code code = driver_fill_of(call, wanted, work);
  return call.end(change(copied(call, executable, node), code, std::move(work)));
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
  if (known == nullptr) return call.end(Code::invalid_value);
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
