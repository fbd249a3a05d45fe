// SPDX-License-Identifier: MIT
// Nodes of any kind by one structure, which says what kind it is of.
#include "engine/device/hip/api/graph_calls.h"

using namespace rpl::emu::hip;

RPL_HIP hipGraphAddKernelNode(void**, void*, void* const*, std::size_t, const abi::KernelNode*);
RPL_HIP hipGraphAddMemcpyNode(void**, void*, void* const*, std::size_t, const abi::Copy3d*);
RPL_HIP hipGraphAddMemsetNode(void**, void*, void* const*, std::size_t, const abi::FillNode*);
RPL_HIP hipGraphAddHostNode(void**, void*, void* const*, std::size_t, const abi::HostNode*);
RPL_HIP hipGraphAddChildGraphNode(void**, void*, void* const*, std::size_t, void*);
RPL_HIP hipGraphAddEmptyNode(void**, void*, void* const*, std::size_t);
RPL_HIP hipGraphAddEventWaitNode(void**, void*, void* const*, std::size_t, void*);
RPL_HIP hipGraphAddEventRecordNode(void**, void*, void* const*, std::size_t, void*);
RPL_HIP hipGraphAddMemAllocNode(void**, void*, void* const*, std::size_t, abi::MemoryNode*);
RPL_HIP hipGraphAddMemFreeNode(void**, void*, void* const*, std::size_t, void*);
RPL_HIP hipGraphKernelNodeSetParams(void*, const abi::KernelNode*);
RPL_HIP hipGraphMemcpyNodeSetParams(void*, const abi::Copy3d*);
RPL_HIP hipGraphMemsetNodeSetParams(void*, const abi::FillNode*);
RPL_HIP hipGraphHostNodeSetParams(void*, const abi::HostNode*);
RPL_HIP hipGraphEventWaitNodeSetEvent(void*, void*);
RPL_HIP hipGraphEventRecordNodeSetEvent(void*, void*);
RPL_HIP hipGraphExecKernelNodeSetParams(void*, void*, const abi::KernelNode*);
RPL_HIP hipGraphExecMemcpyNodeSetParams(void*, void*, const abi::Copy3d*);
RPL_HIP hipGraphExecMemsetNodeSetParams(void*, void*, const abi::FillNode*);
RPL_HIP hipGraphExecHostNodeSetParams(void*, void*, const abi::HostNode*);
RPL_HIP hipGraphExecEventWaitNodeSetEvent(void*, void*, void*);
RPL_HIP hipGraphExecEventRecordNodeSetEvent(void*, void*, void*);
RPL_HIP hipGraphExecChildGraphNodeSetParams(void*, void*, void*);

namespace {

/// hipGraphNodeType, as it counts from HIP 6 on, which brought the structure.
enum class NodeType {
  kernel,
  copy,
  fill,
  host,
  child,
  empty,
  waits,
  records,
  allocates = 10,
  frees = 11
};

NodeType type_of(const abi::AnyNode& wanted) { return static_cast<NodeType>(wanted.type); }

int refused(const char* name) {
  Call call(name, kHostCosts.call_ns);
  return call.end(Code::invalid_value);
}

}  // namespace

RPL_HIP hipGraphAddNode(void** node, void* graph, void* const* after, std::size_t count,
                        abi::AnyNode* wanted) {
  if (wanted == nullptr) return refused("hipGraphAddNode");
  switch (type_of(*wanted)) {
    case NodeType::kernel:
      return hipGraphAddKernelNode(node, graph, after, count, &wanted->kernel);
    case NodeType::copy:
      return hipGraphAddMemcpyNode(node, graph, after, count, &wanted->copy.box);
    case NodeType::fill:
      return hipGraphAddMemsetNode(node, graph, after, count, &wanted->fill);
    case NodeType::host:
      return hipGraphAddHostNode(node, graph, after, count, &wanted->host);
    case NodeType::child:
      return hipGraphAddChildGraphNode(node, graph, after, count, wanted->handle);
    case NodeType::empty:
      return hipGraphAddEmptyNode(node, graph, after, count);
    case NodeType::waits:
      return hipGraphAddEventWaitNode(node, graph, after, count, wanted->handle);
    case NodeType::records:
      return hipGraphAddEventRecordNode(node, graph, after, count, wanted->handle);
    case NodeType::allocates:
      return hipGraphAddMemAllocNode(node, graph, after, count, &wanted->memory);
    case NodeType::frees:
      return hipGraphAddMemFreeNode(node, graph, after, count, wanted->handle);
    default:
      return refused("hipGraphAddNode");
  }
}

RPL_HIP hipGraphNodeSetParams(void* node, const abi::AnyNode* wanted) {
  if (wanted == nullptr) return refused("hipGraphNodeSetParams");
  switch (type_of(*wanted)) {
    case NodeType::kernel:
      return hipGraphKernelNodeSetParams(node, &wanted->kernel);
    case NodeType::copy:
      return hipGraphMemcpyNodeSetParams(node, &wanted->copy.box);
    case NodeType::fill:
      return hipGraphMemsetNodeSetParams(node, &wanted->fill);
    case NodeType::host:
      return hipGraphHostNodeSetParams(node, &wanted->host);
    case NodeType::waits:
      return hipGraphEventWaitNodeSetEvent(node, wanted->handle);
    case NodeType::records:
      return hipGraphEventRecordNodeSetEvent(node, wanted->handle);
    default:
      return refused("hipGraphNodeSetParams");
  }
}

RPL_HIP hipGraphExecNodeSetParams(void* executable, void* node, const abi::AnyNode* wanted) {
  if (wanted == nullptr) return refused("hipGraphExecNodeSetParams");
  switch (type_of(*wanted)) {
    case NodeType::kernel:
      return hipGraphExecKernelNodeSetParams(executable, node, &wanted->kernel);
    case NodeType::copy:
      return hipGraphExecMemcpyNodeSetParams(executable, node, &wanted->copy.box);
    case NodeType::fill:
      return hipGraphExecMemsetNodeSetParams(executable, node, &wanted->fill);
    case NodeType::host:
      return hipGraphExecHostNodeSetParams(executable, node, &wanted->host);
    case NodeType::child:
      return hipGraphExecChildGraphNodeSetParams(executable, node, wanted->handle);
    case NodeType::waits:
      return hipGraphExecEventWaitNodeSetEvent(executable, node, wanted->handle);
    case NodeType::records:
      return hipGraphExecEventRecordNodeSetEvent(executable, node, wanted->handle);
    default:
      return refused("hipGraphExecNodeSetParams");
  }
}
