// SPDX-License-Identifier: MIT
// A function that takes any pointer is given one to LDS by half of the workgroups and one to memory by the others, so that its loads are flat ones and wait for both.
// fault: flat-access,redundant-loads
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524304 --arg f32:zero:524288
#include <hip/hip_runtime.h>

__device__ __noinline__ float window(const float* p) {
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += p[k];  // fault
  return sum;
}

extern "C" __global__ void slow(const float* in, float* out) {
  __shared__ float piece[256 + 16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  piece[t] = in[i];
  if (t < 16) piece[256 + t] = in[i + 256];
  __syncthreads();
  out[i] = window((blockIdx.x & 1) != 0 ? piece + t : in + i);
}

extern "C" __global__ void fast(const float* in, float* out) {
  __shared__ float piece[256 + 16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  piece[t] = in[i];
  if (t < 16) piece[256 + t] = in[i + 256];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += piece[t + k];
  out[i] = sum;
}
