// SPDX-License-Identifier: MIT
// Workgroups of 33 work-items, one more than half a wave.
// fault: unused-lanes
// launch: --grid 405504 --workgroup 33 --arg f32:random(1):405504 --arg f32:zero:405504
// launch fast: --grid 405504 --workgroup 256 --arg f32:random(1):405504 --arg f32:zero:405504
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 300; ++k) v = v * 0.99f + 0.01f;
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 300; ++k) v = v * 0.99f + 0.01f;
  out[i] = v;
}
