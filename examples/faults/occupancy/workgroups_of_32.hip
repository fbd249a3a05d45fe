// SPDX-License-Identifier: MIT
// Workgroups of half a wave.
// fault: small-workgroups,unused-lanes
// launch: --grid 4194304 --workgroup 32 --arg f32:random(1):4194304 --arg f32:zero:4194304
// launch fast: --grid 4194304 --workgroup 256 --arg f32:random(1):4194304 --arg f32:zero:4194304
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0f;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0f;
}
