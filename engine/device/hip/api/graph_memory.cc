// SPDX-License-Identifier: MIT
// Nodes of graphs that allocate memory and give it back, and how much of it a device has.
#include <cstring>

#include "engine/device/hip/api/graph_calls.h"

using namespace rpl::emu::hip;

namespace {

int allocates(Call& call, void** node, void* graph, void* const* after, std::size_t count,
              abi::MemoryNode* wanted) {
  constexpr int kPinned = 1, kOnDevice = 1;
  if (node == nullptr || graph_of(call, graph) == nullptr || wanted == nullptr ||
      wanted->bytes == 0 || wanted->allocation_type != kPinned || wanted->handle_type != 0 ||
      wanted->place_kind != kOnDevice || !is_device(call, wanted->place_number))
    return call.end(Code::invalid_value);
  const auto device = static_cast<std::uint32_t>(wanted->place_number);
  std::shared_ptr<GraphBlock> block;
  if (wanted->bytes <= call.runtime().free_bytes(device))
    block = call.runtime().graph_memory().make(device, wanted->bytes);
  if (block == nullptr) return call.end(Code::out_of_memory);
  wanted->pointer = reinterpret_cast<void*>(block->base);
  const int code = add_node(call, node, graph, after, count, MemoryWork{.block = block});
  if (code == 0) keep_given(*static_cast<GraphNode*>(*node), *wanted);
  return code;
}

}  // namespace

RPL_HIP hipGraphAddMemAllocNode(void** node, void* graph, void* const* after, std::size_t count,
                                abi::MemoryNode* wanted) {
  Call call("hipGraphAddMemAllocNode", kHostCosts.allocate_ns);
  return allocates(call, node, graph, after, count, wanted);
}
RPL_HIP hipGraphMemAllocNodeGetParams(void* node, abi::MemoryNode* out) {
  Call call("hipGraphMemAllocNodeGetParams", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  const auto* work = known == nullptr ? nullptr : std::get_if<MemoryWork>(&known->work);
  if (work == nullptr || work->frees || !give_given(*known, out))
    return call.end(Code::invalid_value);
  return call.end(Code::success);
}
RPL_HIP hipGraphAddMemFreeNode(void** node, void* graph, void* const* after, std::size_t count,
                               void* pointer_) {
  Call call("hipGraphAddMemFreeNode", kHostCosts.call_ns, {pointer("dev_ptr", pointer_)});
  auto block = call.runtime().graph_memory().find(pointer_);
  if (block == nullptr) return call.end(Code::invalid_value);
  return add_node(call, node, graph, after, count,
                  MemoryWork{.block = std::move(block), .frees = true});
}
RPL_HIP hipDrvGraphAddMemFreeNode(void** node, void* graph, void* const* after, std::size_t count,
                                  void* pointer_) {
  return hipGraphAddMemFreeNode(node, graph, after, count, pointer_);
}
RPL_HIP hipGraphMemFreeNodeGetParams(void* node, void** out) {
  Call call("hipGraphMemFreeNodeGetParams", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  const auto* work = known == nullptr ? nullptr : std::get_if<MemoryWork>(&known->work);
  if (work == nullptr || !work->frees || out == nullptr) return call.end(Code::invalid_value);
  *out = reinterpret_cast<void*>(work->block->base);
  return call.end(Code::success);
}

RPL_HIP hipDeviceGetGraphMemAttribute(int device, int attribute, std::uint64_t* value) {
  Call call("hipDeviceGetGraphMemAttribute", kHostCosts.call_ns, {whole("attr", attribute)});
  if (!is_device(call, device)) return call.end(Code::invalid_device);
  if (value == nullptr || attribute < 0 || attribute > GraphMemory::reserved_high)
    return call.end(Code::invalid_value);
  *value = call.runtime().graph_memory().get(static_cast<std::uint32_t>(device),
                                             static_cast<GraphMemory::Attribute>(attribute));
  return call.end(Code::success);
}
// Only the highest values can be set, and only to zero: they then begin again at what is now.
RPL_HIP hipDeviceSetGraphMemAttribute(int device, int attribute, const std::uint64_t* value) {
  Call call("hipDeviceSetGraphMemAttribute", kHostCosts.call_ns, {whole("attr", attribute)});
  if (!is_device(call, device)) return call.end(Code::invalid_device);
  const bool is_highest =
      attribute == GraphMemory::used_high || attribute == GraphMemory::reserved_high;
  if (value == nullptr || !is_highest || *value != 0) return call.end(Code::invalid_value);
  call.runtime().graph_memory().reset(static_cast<std::uint32_t>(device),
                                      static_cast<GraphMemory::Attribute>(attribute));
  return call.end(Code::success);
}
RPL_HIP hipDeviceGraphMemTrim(int device) {
  Call call("hipDeviceGraphMemTrim", kHostCosts.call_ns, {whole("device", device)});
  return call.end(is_device(call, device) ? Code::success : Code::invalid_device);
}
