// SPDX-License-Identifier: MIT
// The best so far is written after each comparison.
// fault: redundant-stores
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):4194304 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, volatile float* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    most = fmaxf(most, in[k * 131072 + i]);
    best[i] = most;  // fault
  }
}
extern "C" __global__ void fast(const float* in, volatile float* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) most = fmaxf(most, in[k * 131072 + i]);
  best[i] = most;
}
