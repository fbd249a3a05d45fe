// SPDX-License-Identifier: MIT
// Workgroups of 40 work-items leave 24 lanes of each wave unused.
// fault: unused-lanes
// launch: --grid 1310720 --workgroup 40 --arg f32:random(1):1310720 --arg f32:zero:1310720
// launch fast: --grid 1310720 --workgroup 256 --arg f32:random(1):1310720 --arg f32:zero:1310720
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 120; ++k) v = v * 0.5f + 0.25f;
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 120; ++k) v = v * 0.5f + 0.25f;
  out[i] = v;
}
