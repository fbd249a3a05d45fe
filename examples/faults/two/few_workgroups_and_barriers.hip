// SPDX-License-Identifier: MIT
// Thirty workgroups sum rows, with a barrier after each addition.
// fault: small-grid,barriers
// launch: --grid 7680 --workgroup 256 --arg f32:random(1):3932160 --arg f32:zero:30
// launch fast: --grid 245760 --workgroup 256 --arg f32:random(1):3932160 --arg f32:zero:960
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  __shared__ float part[256];
  const int t = threadIdx.x, row = blockIdx.x * 131072;
  part[t] = 0;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < 512; ++k) {
    part[t] = part[t ^ 1] * 0.5f + in[row + k * 256 + t];
    __syncthreads();  // fault
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void fast(const float* in, float* out) {
  __shared__ float part[256];
  const int t = threadIdx.x, row = blockIdx.x * 4096;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 16; ++k) sum = sum * 0.5f + in[row + k * 256 + t];
  part[t] = sum;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = part[0];
}
