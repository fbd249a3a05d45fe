// SPDX-License-Identifier: MIT
// A list of each bucket is walked to its end.
// fault: dependency-chain
// launch: --grid 131072 --workgroup 256 --arg i32:iota:2097152 --arg f32:random(3):2097152 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* next, const float* value, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int at = i;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    sum += value[at];
    at = (next[at] + 131072) & 2097151;  // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const int* next, const float* value, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += value[(i + k * 131072) & 2097151];
  out[i] = sum;
}
