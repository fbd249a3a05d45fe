// SPDX-License-Identifier: MIT
// A stencil of nine points in x that loads each element nine times.
// fault: redundant-loads
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048640 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 33; ++k) sum += in[i + k];  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  __shared__ float part[256 + 32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = in[i];
  if (threadIdx.x < 32) part[256 + threadIdx.x] = in[i + 256];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 33; ++k) sum += part[threadIdx.x + k];
  out[i] = sum;
}
