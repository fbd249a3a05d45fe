// SPDX-License-Identifier: MIT
// Two faults: a work-item takes a row, and all rows are one workgroup.
// launch: --grid 1024 --workgroup 1024 --arg f32:random(1):524288 --arg f32:random(2):512 --arg f32:zero:1024 --arg i32:1024 --arg i32:512
// expert: --workgroup 64 --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void gemv(const float* a, const float* x, float* y, int n, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= n) return;
  float sum = 0.0f;
#pragma unroll 4
  for (int i = lane; i < columns; i += 64) sum += a[row * columns + i] * x[i];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) y[row] = sum;
}
