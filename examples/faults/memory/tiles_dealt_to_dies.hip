// SPDX-License-Identifier: MIT
// Eight workgroups that read the same rows follow each other, and so run on eight dies.
// fault: xcd-placement
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):16777216 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

__device__ float all_of(const float* in, int rows, int which) {
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 128; ++k) sum += in[rows * 32768 + k * 256 + threadIdx.x] * (which + 1);  // fault
  return sum;
}
extern "C" __global__ void slow(const float* in, float* out) {
  out[blockIdx.x * 256 + threadIdx.x] = all_of(in, blockIdx.x / 8, blockIdx.x % 8);
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int die = blockIdx.x % 8, turn = blockIdx.x / 8, block = (turn / 8 * 8 + die) * 8 + turn % 8;
  out[block * 256 + threadIdx.x] = all_of(in, block / 8, block % 8);
}
