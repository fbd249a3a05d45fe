// SPDX-License-Identifier: MIT
// Workgroups of 16 work-items.
// fault: small-workgroups,unused-lanes
// launch: --grid 2097152 --workgroup 16 --arg f32:random(1):2097152 --arg f32:zero:2097152
// launch fast: --grid 2097152 --workgroup 256 --arg f32:random(1):2097152 --arg f32:zero:2097152
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2.0f;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2.0f;
}
