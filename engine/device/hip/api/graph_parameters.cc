// SPDX-License-Identifier: MIT
// What nodes of graphs were given, asked for again; attributes of kernels; events and graphs of nodes changed.
#include <cstring>

#include "engine/device/hip/api/graph_calls.h"
#include "engine/device/hip/api/properties.h"

using namespace rpl::emu::hip;

namespace {

template <class Work>
const Work* work_of(const GraphNode* node) {
  return node == nullptr ? nullptr : std::get_if<Work>(&node->work);
}

/// The parameters of a kernel that was captured: what is known of the launch.
abi::KernelNode parameters_of(const LaunchRequest& request) {
  const auto groups = [&](std::size_t i) { return request.grid[i] / request.workgroup[i]; };
  return {.block = {request.workgroup[0], request.workgroup[1], request.workgroup[2]},
          .extra = nullptr,
          .function = request.function,
          .grid = {groups(0), groups(1), groups(2)},
          .arguments = nullptr,
          .dynamic_shared = request.dynamic_lds_bytes};
}

int get_event(const char* name, void* node, void** event_, bool waits) {
  Call call(name, kHostCosts.call_ns);
  const auto* work = work_of<EventWork>(node_of(call, node));
  if (work == nullptr || work->waits != waits || event_ == nullptr)
    return call.end(Code::invalid_value);
  *event_ = work->event;
  return call.end(Code::success);
}

Code set_event(const Call& call, GraphNode* node, void* event_, bool waits) {
  auto* known = static_cast<Event*>(event_);
  auto* work = node == nullptr ? nullptr : std::get_if<EventWork>(&node->work);
  if (work == nullptr || work->waits != waits || !call.runtime().is_event(known))
    return Code::invalid_value;
  work->event = known;
  return Code::success;
}

/// Those that a kernel's node may have: a window of accesses, cooperative, priority.
constexpr unsigned kWindow = 1, kCooperative = 2, kPriority = 8;

/// Bytes of an attribute's value; 0 for one that kernels' nodes do not have.
std::size_t bytes_of_attribute(unsigned attribute) {
  if (attribute == kWindow) return sizeof(abi::AccessWindow);
  return attribute == kCooperative || attribute == kPriority ? sizeof(int) : 0;
}

/// A window no larger than the device has, with a share of hits, and misses that do not stay.
bool is_window(const Call& call, const void* value) {
  abi::AccessWindow window{};
  std::memcpy(&window, value, sizeof(window));
  constexpr int kMostBytes = 1;   ///< hipDeviceAttributeAccessPolicyMaxWindowSize
  constexpr int kPersisting = 2;  ///< hipAccessPropertyPersisting
  const int most = attribute(call.runtime().kind(), 0, kMostBytes).value_or(0);
  return window.bytes <= static_cast<std::size_t>(most) && window.ratio >= 0 && window.ratio <= 1 &&
         window.miss != kPersisting;
}

LaunchRequest* kernel_of(GraphNode* node) {
  return node == nullptr ? nullptr : std::get_if<LaunchRequest>(&node->work);
}

}  // namespace

RPL_HIP hipGraphKernelNodeGetParams(void* node, abi::KernelNode* out) {
  Call call("hipGraphKernelNodeGetParams", kHostCosts.call_ns);
  GraphNode* known = node_of(call, node);
  LaunchRequest* request = kernel_of(known);
  if (request == nullptr || out == nullptr) return call.end(Code::invalid_value);
  if (!give_given(*known, out)) *out = parameters_of(*request);
  known->arguments.clear();
  for (const rpl::isa::KernelArgument& argument : request->function->arguments)
    known->arguments.push_back(request->arguments.data() + argument.offset);
  out->arguments = known->arguments.empty() ? nullptr : known->arguments.data();
  out->extra = nullptr;
  return call.end(Code::success);
}
RPL_HIP hipGraphMemcpyNodeGetParams(void* node, abi::Copy3d* out) {
  Call call("hipGraphMemcpyNodeGetParams", kHostCosts.call_ns);
  const GraphNode* known = node_of(call, node);
  const auto* work = work_of<CopyWork>(known);
  if (work == nullptr || out == nullptr) return call.end(Code::invalid_value);
  if (give_given(*known, out)) return call.end(Code::success);
  const auto side = [&](const void* at, std::uint64_t pitch) {
    return abi::PitchedPointer{const_cast<void*>(at), pitch, work->rows.width, work->rows.count};
  };
  *out = {};
  out->from = side(work->from, work->rows.from_pitch);
  out->to = side(work->to, work->rows.to_pitch);
  out->extent = {work->rows.width, work->rows.count, work->slices};
  out->kind = work->kind;
  return call.end(Code::success);
}

RPL_HIP hipGraphKernelNodeSetAttribute(void* node, unsigned attribute, const void* value) {
  Call call("hipGraphKernelNodeSetAttribute", kHostCosts.call_ns, {number("attr", attribute)});
  GraphNode* known = node_of(call, node);
  LaunchRequest* request = kernel_of(known);
  const std::size_t bytes = bytes_of_attribute(attribute);
  if (request == nullptr || value == nullptr || bytes == 0) return call.end(Code::invalid_value);
  if (attribute == kWindow && !is_window(call, value)) return call.end(Code::invalid_value);
  std::memcpy(known->attributes[attribute].data(), value, bytes);
  if (attribute == kCooperative) request->cooperative = *static_cast<const int*>(value) != 0;
  return call.end(Code::success);
}
RPL_HIP hipGraphKernelNodeGetAttribute(void* node, unsigned attribute, void* value) {
  Call call("hipGraphKernelNodeGetAttribute", kHostCosts.call_ns, {number("attr", attribute)});
  GraphNode* known = node_of(call, node);
  const std::size_t bytes = bytes_of_attribute(attribute);
  if (kernel_of(known) == nullptr || value == nullptr || bytes == 0)
    return call.end(Code::invalid_value);
  std::memcpy(value, known->attributes[attribute].data(), bytes);
  return call.end(Code::success);
}
RPL_HIP hipGraphKernelNodeCopyAttributes(void* from, void* to) {
  Call call("hipGraphKernelNodeCopyAttributes", kHostCosts.call_ns);
  GraphNode *source = node_of(call, from), *target = node_of(call, to);
  if (kernel_of(source) == nullptr || kernel_of(target) == nullptr)
    return call.end(Code::invalid_value);
  target->attributes = source->attributes;
  kernel_of(target)->cooperative = kernel_of(source)->cooperative;
  return call.end(Code::success);
}

RPL_HIP hipGraphEventRecordNodeGetEvent(void* node, void** event_) {
  return get_event("hipGraphEventRecordNodeGetEvent", node, event_, false);
}
RPL_HIP hipGraphEventWaitNodeGetEvent(void* node, void** event_) {
  return get_event("hipGraphEventWaitNodeGetEvent", node, event_, true);
}
RPL_HIP hipGraphEventRecordNodeSetEvent(void* node, void* event_) {
  Call call("hipGraphEventRecordNodeSetEvent", kHostCosts.call_ns);
  return call.end(set_event(call, node_of(call, node), event_, false));
}
RPL_HIP hipGraphEventWaitNodeSetEvent(void* node, void* event_) {
  Call call("hipGraphEventWaitNodeSetEvent", kHostCosts.call_ns);
  return call.end(set_event(call, node_of(call, node), event_, true));
}
RPL_HIP hipGraphExecEventRecordNodeSetEvent(void* executable, void* node, void* event_) {
  Call call("hipGraphExecEventRecordNodeSetEvent", kHostCosts.call_ns);
  return call.end(set_event(call, copy_in(executable_of(call, executable), node_of(call, node)),
                            event_, false));
}
RPL_HIP hipGraphExecEventWaitNodeSetEvent(void* executable, void* node, void* event_) {
  Call call("hipGraphExecEventWaitNodeSetEvent", kHostCosts.call_ns);
  return call.end(
      set_event(call, copy_in(executable_of(call, executable), node_of(call, node)), event_, true));
}

// A graph of the same shape takes the place of the one that the node holds.
RPL_HIP hipGraphExecChildGraphNodeSetParams(void* executable, void* node, void* child) {
  Call call("hipGraphExecChildGraphNodeSetParams", kHostCosts.call_ns);
  GraphNode* copy = copy_in(executable_of(call, executable), node_of(call, node));
  const Graph* wanted = graph_of(call, child);
  auto* work = copy == nullptr ? nullptr : std::get_if<ChildWork>(&copy->work);
  if (work == nullptr || wanted == nullptr || !same_shape(*work->graph, *wanted))
    return call.end(Code::invalid_value);
  std::map<const GraphNode*, GraphNode*> copies;
  work->graph = wanted->clone(copies);
  return call.end(Code::success);
}
