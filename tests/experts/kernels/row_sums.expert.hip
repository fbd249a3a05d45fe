// SPDX-License-Identifier: MIT
// A work-item adds up a row.
// launch: --grid 2048 --workgroup 256 --arg f32:random(1):524288 --arg f32:zero:2048 --arg i32:2048 --arg i32:256
// expert: --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void row_sums(const float* x, float* sums, int n, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= n) return;
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 64) sum += x[row * columns + i];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) sums[row] = sum;
}
