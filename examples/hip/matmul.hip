// SPDX-License-Identifier: MIT
// c = a * b for row-major m x k and k x n matrices, one 16 x 16 tile of c for each workgroup through LDS.
#include <hip/hip_runtime.h>

constexpr int kTile = 16;

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0.0f;
  for (int base = 0; base < k; base += kTile) {
    const int a_column = base + threadIdx.x;
    const int b_row = base + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
