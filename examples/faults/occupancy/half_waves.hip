// SPDX-License-Identifier: MIT
// Workgroups of 40 work-items leave 24 lanes of each wave unused.
// fault: unused-lanes
// launch: --grid 655360 --workgroup 40 --arg f32:random(1):655360 --arg f32:zero:655360
// launch fast: --grid 655360 --workgroup 320 --arg f32:random(1):655360 --arg f32:zero:655360
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 400; ++k) v = v * 1.01f + 0.5f;
  out[i] = v;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 400; ++k) v = v * 1.01f + 0.5f;
  out[i] = v;
}
