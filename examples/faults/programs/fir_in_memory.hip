// SPDX-License-Identifier: MIT
// A FIR filter that keeps its sum in memory, or in a register.
// fault: redundant-stores,redundant-loads,loop-invariant-load
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524352 --arg f32:random(2):32 --arg f32:zero:524288
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* x, const float* h, float* y) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  y[i] = 0;
#pragma unroll 4
  for (int k = 0; k < 32; k++) y[i] += h[k] * x[i + k]; // fault
}
extern "C" __global__ void fast(const float* x, const float* h, float* y) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  float acc = 0;
#pragma unroll 4
  for (int k = 0; k < 32; k++) acc += h[k] * x[i + k];
  y[i] = acc;
}
