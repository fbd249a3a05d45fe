// SPDX-License-Identifier: MIT
// A sum by eight workgroups.
// fault: small-grid
// launch: --grid 8192 --workgroup 1024 --arg f32:random(1):4194304 --arg f32:zero:311296 --arg i32:4194304
// launch fast: --grid 311296 --workgroup 1024 --arg f32:random(1):4194304 --arg f32:zero:311296 --arg i32:4194304
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i] * in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void fast(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i] * in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
