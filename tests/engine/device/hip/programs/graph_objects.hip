// SPDX-License-Identifier: MIT
// Graphs that allocate what their kernels use, whose nodes tell what they were given, and that keep objects of the host alive.
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

constexpr int kCount = 1000;

__global__ void fill(int* to, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) to[i] = value + i;
}

std::size_t memory(hipGraphMemAttributeType what) {
  std::size_t value = 0;
  CHECK(hipDeviceGetGraphMemAttribute(0, what, &value));
  return value;
}

hipMemAllocNodeParams wanted_memory() {
  hipMemAllocNodeParams out;
  std::memset(&out, 0, sizeof(out));
  out.bytesize = kCount * sizeof(int);
  out.poolProps.allocType = hipMemAllocationTypePinned;
  out.poolProps.location.type = hipMemLocationTypeDevice;
  return out;
}

hipKernelNodeParams launch_of(void** arguments) {
  hipKernelNodeParams out = {};
  out.func = reinterpret_cast<void*>(fill);
  out.gridDim = dim3((kCount + 255) / 256);
  out.blockDim = dim3(256);
  out.kernelParams = arguments;
  return out;
}

/// Allocates, fills, copies to the host and gives back, as often as it is launched.
void check_memory() {
  hipGraph_t graph;
  CHECK(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams wanted = wanted_memory(), again;
  hipGraphNode_t allocates, fills, copies, frees;
  CHECK(hipGraphAddMemAllocNode(&allocates, graph, nullptr, 0, &wanted));
  EXPECT(wanted.dptr != nullptr);
  CHECK(hipGraphMemAllocNodeGetParams(allocates, &again));
  EXPECT(again.dptr == wanted.dptr && again.bytesize == wanted.bytesize);
  int value = 7;
  void* arguments[] = {&wanted.dptr, &value};
  const hipKernelNodeParams launch = launch_of(arguments);
  CHECK(hipGraphAddKernelNode(&fills, graph, &allocates, 1, &launch));
  std::vector<int> out(kCount);
  CHECK(hipGraphAddMemcpyNode1D(&copies, graph, &fills, 1, out.data(), wanted.dptr, kCount * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(hipGraphAddMemFreeNode(&frees, graph, &copies, 1, wanted.dptr));
  EXPECT(memory(hipGraphMemAttrUsedMemCurrent) == 0);
  hipGraphExec_t executable, second;
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  EXPECT(hipGraphInstantiate(&second, graph, nullptr, nullptr, 0) == hipErrorNotSupported);
  hipGraph_t clone;
  EXPECT(hipGraphClone(&clone, graph) == hipErrorNotSupported);
  for (int i = 0; i < 3; ++i) {
    out.assign(kCount, 0);
    CHECK(hipGraphLaunch(executable, nullptr));
    CHECK(hipDeviceSynchronize());
    for (int k = 0; k < kCount; ++k) EXPECT(out[k] == 7 + k);
    EXPECT(memory(hipGraphMemAttrUsedMemCurrent) == 0);
    EXPECT(memory(hipGraphMemAttrUsedMemHigh) == kCount * sizeof(int));
  }
  CHECK(hipGraphDestroy(graph));
  CHECK(hipGraphExecDestroy(executable));
}

/// What is not given back stays in use: another launch fails, until it is freed.
void check_left_over() {
  hipGraph_t graph;
  CHECK(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams wanted = wanted_memory();
  hipGraphNode_t allocates;
  CHECK(hipGraphAddMemAllocNode(&allocates, graph, nullptr, 0, &wanted));
  hipGraphExec_t executable;
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(hipGraphLaunch(executable, nullptr));
  EXPECT(memory(hipGraphMemAttrUsedMemCurrent) == kCount * sizeof(int));
  EXPECT(hipGraphLaunch(executable, nullptr) == hipErrorInvalidValue);
  CHECK(hipFree(wanted.dptr));
  EXPECT(hipFree(wanted.dptr) == hipErrorInvalidValue);
  CHECK(hipGraphLaunch(executable, nullptr));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, hipGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 2; ++i) CHECK(hipGraphLaunch(executable, nullptr));
  unsigned long long flags = 0;
  CHECK(hipGraphExecGetFlags(executable, &flags));
  EXPECT(flags == hipGraphInstantiateFlagAutoFreeOnLaunch);
  CHECK(hipFree(wanted.dptr));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipDeviceGraphMemTrim(0));
  EXPECT(memory(hipGraphMemAttrReservedMemCurrent) == 0);
}

/// Nodes tell what they were given; those of a clone are found by the original's.
void check_parameters() {
  hipGraph_t graph, clone;
  CHECK(hipGraphCreate(&graph, 0));
  int* data;
  CHECK(hipMalloc(&data, kCount * sizeof(int)));
  int value = 3;
  void* arguments[] = {&data, &value};
  const hipKernelNodeParams launch = launch_of(arguments);
  hipGraphNode_t fills, waits, found;
  CHECK(hipGraphAddKernelNode(&fills, graph, nullptr, 0, &launch));
  hipKernelNodeParams told;
  CHECK(hipGraphKernelNodeGetParams(fills, &told));
  EXPECT(told.func == launch.func && told.gridDim.x == launch.gridDim.x && told.blockDim.x == 256);
  EXPECT(*static_cast<int**>(told.kernelParams[0]) == data && *static_cast<int*>(told.kernelParams[1]) == value);
  hipEvent_t first, second, event;
  CHECK(hipEventCreate(&first));
  CHECK(hipEventCreate(&second));
  CHECK(hipGraphAddEventWaitNode(&waits, graph, nullptr, 0, first));
  CHECK(hipGraphEventWaitNodeSetEvent(waits, second));
  CHECK(hipGraphEventWaitNodeGetEvent(waits, &event));
  EXPECT(event == second);
  EXPECT(hipGraphEventRecordNodeGetEvent(waits, &event) == hipErrorInvalidValue);
  CHECK(hipGraphClone(&clone, graph));
  CHECK(hipGraphNodeFindInClone(&found, fills, clone));
  EXPECT(found != fills);
  EXPECT(hipGraphNodeFindInClone(&found, fills, graph) == hipErrorInvalidValue);
  CHECK(hipGraphDestroy(clone));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipFree(data));
}

int destroyed = 0;
void destroy(void* data) { destroyed += *static_cast<int*>(data); }

/// An object is destroyed with the last that refers to it: the graph, and what was instantiated of it.
void check_objects() {
  static int one = 1;
  hipGraph_t graph;
  CHECK(hipGraphCreate(&graph, 0));
  hipUserObject_t object;
  CHECK(hipUserObjectCreate(&object, &one, destroy, 2, hipUserObjectNoDestructorSync));
  EXPECT(hipUserObjectCreate(&object, &one, destroy, 0, hipUserObjectNoDestructorSync) == hipErrorInvalidValue);
  CHECK(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  CHECK(hipUserObjectRelease(object));
  hipGraphExec_t executable;
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(hipGraphDestroy(graph));
  EXPECT(destroyed == 0);
  CHECK(hipGraphExecDestroy(executable));
  EXPECT(destroyed == 1);
}

int main() {
  check_memory();
  check_left_over();
  check_parameters();
  check_objects();
  return passed();
}
