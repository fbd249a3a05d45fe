// SPDX-License-Identifier: MIT
// fault: nothing-of-note
// Jobs of some length in four streams, each with its own memory, waited for once. Nothing is to be repaired.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define V(x) do { if ((x) != hipSuccess) { fprintf(stderr, "failed: %s\n", #x); return 1; } } while (0)

__global__ void job(float* data, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = data[i], b = a + 1;
  for (int r = 0; r < rounds; ++r) {
    a = a * 1.0001f + b;
    b = b * 0.9999f - a;
  }
  data[i] = a + b;
}

int main() {
  constexpr int kStreams = 4, kJobs = 12, kItems = 304 * 256;
  std::vector<hipStream_t> streams(kStreams);
  std::vector<float*> memory(kStreams);
  for (int s = 0; s < kStreams; ++s) {
    V(hipStreamCreateWithFlags(&streams[s], hipStreamNonBlocking));
    V(hipMalloc((void**)&memory[s], kItems * sizeof(float)));
    V(hipMemsetAsync(memory[s], 0, kItems * sizeof(float), streams[s]));
  }
  for (int j = 0; j < kJobs; ++j) job<<<kItems / 256, 256, 0, streams[j % kStreams]>>>(memory[j % kStreams], 3000);
  V(hipDeviceSynchronize());
  return 0;
}
