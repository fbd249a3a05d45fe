// SPDX-License-Identifier: MIT
// Exponential smoothing whose factor is read through a pointer in every turn because the output may alias it.
// fault: loop-invariant-load,redundant-loads
// launch: --grid 155648 --workgroup 256 --arg f32:random(1):1245184 --arg f32:zero:1245184 --arg f32:random(2):16
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* x, float* y, const float* factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float s = x[i];
#pragma unroll 1
  for (unsigned t = 0; t < 64; ++t) {
    s = s * factor[threadIdx.x & 3] + factor[4 + (threadIdx.x & 3)]; // fault
    if ((t & 7) == 7) y[(t >> 3) * n + i] = s;
  }
}
extern "C" __global__ void fast(const float* x, float* y, const float* factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const float a = factor[threadIdx.x & 3], b = factor[4 + (threadIdx.x & 3)];
  float s = x[i];
#pragma unroll 1
  for (unsigned t = 0; t < 64; ++t) {
    s = s * a + b;
    if ((t & 7) == 7) y[(t >> 3) * n + i] = s;
  }
}
