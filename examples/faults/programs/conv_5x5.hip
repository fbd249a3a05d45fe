// SPDX-License-Identifier: MIT
// A convolution of 5 by 5, which reads each value from memory 25 times; and from a tile in LDS.
// fault: redundant-loads
// launch: --grid 1024,1024 --workgroup 32,8 --arg f32:random(1):1060000 --arg f32:random(2):25 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

#define PITCH 1028

extern "C" __global__ void slow(const float* in, const float* weight, float* out) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 5; ++j)
#pragma unroll
    for (int i = 0; i < 5; ++i) sum += weight[j * 5 + i] * in[((y + j) & 1023) * PITCH + x + i];  // fault
  out[y * 1024 + x] = sum;
}
extern "C" __global__ void fast(const float* in, const float* weight, float* out) {
  __shared__ float tile[12][36];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = y * 32 + x; k < 12 * 36; k += 256)
    tile[k / 36][k % 36] = in[((blockIdx.y * 8 + k / 36) & 1023) * PITCH + blockIdx.x * 32 + k % 36];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 5; ++j)
#pragma unroll
    for (int i = 0; i < 5; ++i) sum += weight[j * 5 + i] * tile[y + j][x + i];
  out[(blockIdx.y * 8 + y) * 1024 + blockIdx.x * 32 + x] = sum;
}
