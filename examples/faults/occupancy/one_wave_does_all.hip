// SPDX-License-Identifier: MIT
// In each workgroup one wave of four does the work.
// fault: load-imbalance
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:zero:524288
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  const int steps = threadIdx.x < 64 ? 800 : 8;
  for (int k = 0; k < steps; ++k) v = v * 0.99f + 0.01f;  // fault
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 206; ++k) v = v * 0.99f + 0.01f;
  out[i] = v;
}
