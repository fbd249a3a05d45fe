// SPDX-License-Identifier: MIT
// out = transposed in, rows x columns, by 32 x 32 tiles in LDS whose rows are not padded: a column of a tile lies in one bank. The rule
// lds-padding finds that; transpose.hip is how it should be.
#include <hip/hip_runtime.h>

constexpr int kTile = 32;
constexpr int kRows = 8;

extern "C" __global__ void transpose_unpadded(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (x < columns && y + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * columns + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (x < rows && y + i < columns) out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
  }
}
