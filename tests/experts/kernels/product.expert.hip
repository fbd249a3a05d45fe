// SPDX-License-Identifier: MIT
// A matrix product in which every work-item reads its row and its column from memory.
// launch: --grid 256,256 --workgroup 16,16 --arg f32:random(1):65536 --arg f32:random(2):65536 --arg f32:zero:65536 --arg i32:256
// expert: 
#include <hip/hip_runtime.h>

extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][17], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 16) {
    __syncthreads();
    if (row < n && first + x < n) left[y][x] = a[row * n + first + x];
    if (column < n && first + y < n) right[y][x] = b[(first + y) * n + column];
    __syncthreads();
    const int here = min(16, n - first);
    if (here == 16) {
#pragma unroll
      for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    } else {
      for (int k = 0; k < here; ++k) sum += left[y][k] * right[k][x];
    }
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
