// SPDX-License-Identifier: MIT
// c = a * b for row-major m x k and k x n matrices, made to be tuned: a workgroup of TILE x TILE threads makes a tile of c through LDS, DEPTH columns of a
// at a time, its inner loop unrolled UNROLL times. `autotune` builds it with other values.
#include <hip/hip_runtime.h>

#ifndef TILE
#define TILE 16
#endif
#ifndef DEPTH
#define DEPTH 16
#endif
#ifndef UNROLL
#define UNROLL 1
#endif

extern "C" __global__ __launch_bounds__(TILE* TILE) void tiled_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][DEPTH];
  __shared__ float tile_b[DEPTH][TILE];
  const int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  float sum = 0.0f;
  for (int base = 0; base < k; base += DEPTH) {
    for (int i = threadIdx.x; i < DEPTH; i += TILE) tile_a[threadIdx.y][i] = row < m && base + i < k ? a[row * k + base + i] : 0.0f;
    for (int i = threadIdx.y; i < DEPTH; i += TILE) tile_b[i][threadIdx.x] = base + i < k && column < n ? b[(base + i) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll UNROLL
    for (int i = 0; i < DEPTH; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
