// SPDX-License-Identifier: MIT
// Row i of a triangle has i elements, one workgroup a row.
// fault: load-imbalance
// launch: --grid 131072 --workgroup 64 --arg f32:random(1):2048 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int row = blockIdx.x;
  float sum = 0;
  const int steps = row * row / 1024;
  for (int k = 0; k < steps; ++k) sum = sum * 0.999f + in[k & 2047];  // fault
  out[row * 64 + threadIdx.x] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int row = blockIdx.x;
  float sum = 0;
  const int other = 2047 - row, steps = (row * row / 1024 + other * other / 1024) / 2;
  for (int k = 0; k < steps; ++k) sum = sum * 0.999f + in[k & 2047];
  out[row * 64 + threadIdx.x] = sum;
}
