// SPDX-License-Identifier: MIT
// Graphs: made by hand, changed, and captured from two streams that an event forks and joins.
#include <vector>

#include "check.h"

constexpr int kCount = 1000;

__global__ void scale(float* data, float by, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) data[i] *= by;
}
__global__ void add(float* to, const float* from, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] += from[i];
}

int called = 0;
void call(void* data) { called += *static_cast<int*>(data); }

float* array() {
  void* out = nullptr;
  CHECK(hipMalloc(&out, kCount * sizeof(float)));
  return static_cast<float*>(out);
}

hipKernelNodeParams launch_of(void* function, void** arguments) {
  hipKernelNodeParams out = {};
  out.func = function;
  out.gridDim = dim3((kCount + 255) / 256);
  out.blockDim = dim3(256);
  out.kernelParams = arguments;
  return out;
}

bool all(const std::vector<float>& values, float wanted) {
  for (const float value : values) {
    if (value != wanted) return false;
  }
  return true;
}

void by_hand() {
  float* data = array();
  std::vector<float> in(kCount, 1), out(kCount);
  float by = 3;
  int count = kCount, number = 5;
  void* arguments[] = {&data, &by, &count};
  hipGraph_t graph;
  CHECK(hipGraphCreate(&graph, 0));
  hipGraphNode_t upload, kernel, download, host;
  // Added in another order than they run in.
  hipKernelNodeParams parameters = launch_of(reinterpret_cast<void*>(scale), arguments);
  CHECK(hipGraphAddKernelNode(&kernel, graph, nullptr, 0, &parameters));
  by = 100;  // the node has copied it
  CHECK(hipGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, data, in.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipGraphAddDependencies(graph, &upload, &kernel, 1));
  CHECK(hipGraphAddMemcpyNode1D(&download, graph, &kernel, 1, out.data(), data, kCount * sizeof(float), hipMemcpyDeviceToHost));
  hipHostNodeParams host_parameters = {};
  host_parameters.fn = call;
  host_parameters.userData = &number;
  CHECK(hipGraphAddHostNode(&host, graph, &download, 1, &host_parameters));
  size_t nodes = 0, edges = 0, roots = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  CHECK(hipGraphGetRootNodes(graph, nullptr, &roots));
  EXPECT(nodes == 4 && edges == 3 && roots == 1);
  hipGraphNodeType type;
  CHECK(hipGraphNodeGetType(kernel, &type));
  // Of HIP 5 the numbers are those of 5.2: later ones of 5 count from 0, and nothing in a program says which it was built for.
#if HIP_VERSION_MAJOR != 5 || HIP_VERSION_MINOR <= 2
  EXPECT(type == hipGraphNodeTypeKernel);
#endif

  hipGraphExec_t executable;
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  EXPECT(called == 0 && all(out, 0));
  for (int i = 1; i <= 2; ++i) {
    CHECK(hipGraphLaunch(executable, nullptr));
    CHECK(hipStreamSynchronize(nullptr));
    EXPECT(all(out, 3) && called == 5 * i);
  }
  by = 7;
  CHECK(hipGraphExecKernelNodeSetParams(executable, kernel, &parameters));
  CHECK(hipGraphLaunch(executable, nullptr));
  EXPECT(all(out, 7));
  // A circle cannot be launched.
  CHECK(hipGraphAddDependencies(graph, &download, &upload, 1));
  hipGraphExec_t circle;
  EXPECT(hipGraphInstantiate(&circle, graph, nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  EXPECT(hipGraphDestroy(graph) == hipErrorInvalidValue);
}

void captured() {
  float *data = array(), *other = array();
  std::vector<float> in(kCount, 2), out(kCount);
  CHECK(hipMemcpy(other, in.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
  hipStream_t first, second;
  hipEvent_t fork, join;
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreate(&second));
  CHECK(hipEventCreate(&fork));
  CHECK(hipEventCreate(&join));
  CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  hipStreamCaptureStatus state;
  CHECK(hipStreamIsCapturing(first, &state));
  EXPECT(state == hipStreamCaptureStatusActive);
  CHECK(hipMemsetAsync(data, 0, kCount * sizeof(float), first));
  CHECK(hipEventRecord(fork, first));
  CHECK(hipStreamWaitEvent(second, fork, 0));
  scale<<<4, 256, 0, second>>>(other, 10, kCount);
  CHECK(hipEventRecord(join, second));
  CHECK(hipStreamWaitEvent(first, join, 0));
  add<<<4, 256, 0, first>>>(data, other, kCount);
  CHECK(hipMemcpyAsync(out.data(), data, kCount * sizeof(float), hipMemcpyDeviceToHost, first));
  hipGraph_t graph;
  CHECK(hipStreamEndCapture(first, &graph));
  EXPECT(all(out, 0));
  size_t nodes = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 4);
  hipGraphExec_t executable;
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(executable, first));
  CHECK(hipStreamSynchronize(first));
  EXPECT(all(out, 20));
  CHECK(hipGraphLaunch(executable, first));
  CHECK(hipStreamSynchronize(first));
  EXPECT(all(out, 200));

  // Work of another stream that does not come back, and waiting for what is only written down.
  CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  CHECK(hipEventRecord(fork, first));
  CHECK(hipStreamWaitEvent(second, fork, 0));
  scale<<<4, 256, 0, second>>>(other, 10, kCount);
  EXPECT(hipStreamEndCapture(first, &graph) != hipSuccess);
  CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  EXPECT(hipStreamSynchronize(first) != hipSuccess);
  EXPECT(hipStreamEndCapture(first, &graph) != hipSuccess);
  CHECK(hipStreamSynchronize(first));
}

int main() {
  by_hand();
  captured();
  return passed();
}
