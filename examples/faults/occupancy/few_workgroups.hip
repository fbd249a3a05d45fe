// SPDX-License-Identifier: MIT
// Sixteen workgroups on a device of three hundred compute units.
// fault: small-grid
// launch: --grid 4096 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:1048576
// launch fast: --grid 311296 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2.0f + 1.0f;
}

extern "C" __global__ void fast(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2.0f + 1.0f;
}
