// SPDX-License-Identifier: MIT
// A row of a tile is read with its halo: each wave begins one element before a line, again and again.
// fault: misaligned-access
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):66048 --arg f32:zero:1048576 --arg i32:-1
// launch fast: --grid 1048576 --workgroup 256 --arg f32:random(1):66048 --arg f32:zero:1048576 --arg i32:0
#include <hip/hip_runtime.h>

__device__ __forceinline__ float sum_of(const float* in, int shift) {
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 32; ++k) sum += in[512 + shift + ((blockIdx.x * 64 + k * 2080 + threadIdx.x) & 65535)];
  return sum;
}
extern "C" __global__ void slow(const float* in, float* out, int shift) {
  out[blockIdx.x * 256 + threadIdx.x] = sum_of(in, shift);
}
extern "C" __global__ void fast(const float* in, float* out, int shift) {
  out[blockIdx.x * 256 + threadIdx.x] = sum_of(in, shift);
}
