// SPDX-License-Identifier: MIT
// features: what HIP programs use beside launches and copies. One line for each, and PASSED when all are right.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    const hipError_t status = (call);                                            \
    if (status != hipSuccess) {                                                  \
      std::printf("%s: %s\nFAILED\n", #call, hipGetErrorName(status));           \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

constexpr int kCount = 1000;
constexpr std::size_t kBytes = kCount * sizeof(int);
constexpr int kBlock = 256;

__device__ int dispatches;

__global__ void increment(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) values[i] += 1;
  if (i == 0) atomicAdd(&dispatches, 1);
}

__global__ void say(int number) {
  printf("workgroup %d says %d, %s, %.1f\n", static_cast<int>(blockIdx.x), number, "text", 1.5);
}

// More than registers hold.
__global__ void permute(int* values, int step) {
  int own[kBlock];
  for (int i = 0; i < kBlock; ++i) own[i] = i * step;
  int sum = 0;
  for (int i = 0; i < kBlock; ++i) sum += own[(i * 7 + step) % kBlock];
  values[threadIdx.x] = sum;
}

static int failures = 0;

static void tell(const char* what, bool is_right) {
  std::printf("%s: %s\n", what, is_right ? "right" : "wrong");
  failures += is_right ? 0 : 1;
}

static void launch(int* values, hipStream_t stream = nullptr) {
  increment<<<(kCount + kBlock - 1) / kBlock, kBlock, 0, stream>>>(values);
  CHECK(hipGetLastError());
}

static bool all_are(const int* values, int expected) {
  for (int i = 0; i < kCount; ++i) {
    if (values[i] != expected) return false;
  }
  return true;
}

static bool device_holds(const void* values, int expected) {
  std::vector<int> back(kCount);
  CHECK(hipMemcpy(back.data(), values, kBytes, hipMemcpyDeviceToHost));
  return all_are(back.data(), expected);
}

static void host_memory() {
  int *managed = nullptr, *pinned = nullptr;
  CHECK(hipMallocManaged(reinterpret_cast<void**>(&managed), kBytes));
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&pinned), kBytes, 0));
  for (int i = 0; i < kCount; ++i) managed[i] = pinned[i] = 4;
  launch(managed);
  launch(pinned);
  CHECK(hipDeviceSynchronize());
  tell("managed memory", all_are(managed, 5));
  tell("pinned memory", all_are(pinned, 5));
  CHECK(hipFree(managed));
  CHECK(hipHostFree(pinned));
}

static void streams(hipStream_t first, hipStream_t second) {
  int* values = nullptr;
  CHECK(hipMallocAsync(reinterpret_cast<void**>(&values), kBytes, first));
  CHECK(hipMemsetAsync(values, 0, kBytes, first));
  hipEvent_t begin, end;
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  CHECK(hipEventRecord(begin, first));
  launch(values, first);
  CHECK(hipEventRecord(end, first));
  CHECK(hipStreamWaitEvent(second, end, 0));
  launch(values, second);
  CHECK(hipStreamSynchronize(second));
  float ms = -1;
  CHECK(hipEventElapsedTime(&ms, begin, end));
  tell("a stream waits for an event", device_holds(values, 2) && ms >= 0);
  int called = 0;
  CHECK(hipStreamAddCallback(
      first, [](hipStream_t, hipError_t, void* data) { *static_cast<int*>(data) = 1; }, &called, 0));
  CHECK(hipStreamSynchronize(first));
  tell("a callback", called == 1);
  CHECK(hipFreeAsync(values, first));
  CHECK(hipStreamSynchronize(first));
}

static void graph(hipStream_t stream) {
  int* values = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void**>(&values), kBytes));
  CHECK(hipMemset(values, 0, kBytes));
  hipGraph_t recorded;
  hipGraphExec_t ready;
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  launch(values, stream);
  launch(values, stream);
  CHECK(hipStreamEndCapture(stream, &recorded));
  CHECK(hipGraphInstantiate(&ready, recorded, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(ready, stream));
  CHECK(hipGraphLaunch(ready, stream));
  CHECK(hipStreamSynchronize(stream));
  tell("a graph, twice", device_holds(values, 4));
  permute<<<1, kBlock>>>(values, 3);
  std::vector<int> back(kBlock);
  CHECK(hipMemcpy(back.data(), values, kBlock * sizeof(int), hipMemcpyDeviceToHost));
  tell("scratch memory", back[0] == 3 * kBlock * (kBlock - 1) / 2 && back[kBlock - 1] == back[0]);
  CHECK(hipGraphExecDestroy(ready));
  CHECK(hipGraphDestroy(recorded));
  CHECK(hipFree(values));
}

int main() {
  say<<<2, 1>>>(7);
  CHECK(hipDeviceSynchronize());
  hipStream_t first, second;
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreate(&second));
  host_memory();
  streams(first, second);
  graph(first);
  int counted = 0;
  CHECK(hipMemcpyFromSymbol(&counted, HIP_SYMBOL(dispatches), sizeof(counted)));
  tell("a variable of the device", counted == 8);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
