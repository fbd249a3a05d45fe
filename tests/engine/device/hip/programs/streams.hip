// SPDX-License-Identifier: MIT
// Two streams with an event between them, asynchronous copies, and what the null stream waits for.
#include "check.h"

__global__ void fill(int* data, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = value;
}
__global__ void add(int* out, const int* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] += in[i];
}

int main() {
  constexpr int kCount = 4096;
  hipStream_t first, second;
  hipEvent_t ready, before, after;
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  CHECK(hipEventCreateWithFlags(&ready, hipEventDisableTiming));
  CHECK(hipEventCreate(&before));
  CHECK(hipEventCreate(&after));
  int *a, *b, *host;
  CHECK(hipMalloc(&a, kCount * sizeof(int)));
  CHECK(hipMallocAsync((void**)&b, kCount * sizeof(int), second));
  CHECK(hipHostMalloc(&host, kCount * sizeof(int)));
  CHECK(hipEventRecord(before, first));
  fill<<<kCount / 256, 256, 0, first>>>(a, kCount, 5);
  CHECK(hipEventRecord(ready, first));
  CHECK(hipMemsetAsync(b, 0, kCount * sizeof(int), second));
  CHECK(hipStreamWaitEvent(second, ready, 0));
  add<<<kCount / 256, 256, 0, second>>>(b, a, kCount);
  CHECK(hipMemcpyAsync(host, b, kCount * sizeof(int), hipMemcpyDeviceToHost, second));
  EXPECT(hipStreamQuery(second) == hipErrorNotReady);
  CHECK(hipStreamSynchronize(second));
  CHECK(hipStreamQuery(second));
  for (int i = 0; i < kCount; ++i) EXPECT(host[i] == 5);
  CHECK(hipEventRecord(after, first));
  CHECK(hipEventSynchronize(after));
  float milliseconds = 0;
  CHECK(hipEventElapsedTime(&milliseconds, before, after));
  EXPECT(milliseconds > 0.001f && milliseconds < 10.0f);
  EXPECT(hipEventElapsedTime(&milliseconds, before, ready) != hipSuccess);
  fill<<<1, 64>>>(a, 64, 9);
  CHECK(hipStreamSynchronize(hipStreamPerThread));
  CHECK(hipFreeAsync(b, second));
  CHECK(hipStreamDestroy(first));
  CHECK(hipStreamDestroy(second));
  EXPECT(hipStreamSynchronize(first) != hipSuccess);
  return passed();
}
