// SPDX-License-Identifier: MIT
// A transposition through a padded tile.
// fault: nothing-of-note,bandwidth-used-up,dependent-loads
// launch: --grid 2048,512 --workgroup 32,8 --arg f32:random(1):4194304 --arg f32:zero:4194304
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * 2048 + x];
  __syncthreads();
  const int column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(row + k) * 2048 + column] = tile[threadIdx.x][threadIdx.y + k];
}
