// SPDX-License-Identifier: MIT
// The same four weights are loaded in each step.
// fault: loop-invariant-load
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:random(2):256 --arg f32:zero:524288
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, const volatile float* weights, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 64; ++k) v = v * 0.5f + weights[threadIdx.x];  // fault
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, const volatile float* weights, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  const float w = weights[threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < 64; ++k) v = v * 0.5f + w;
  out[i] = v;
}
