// SPDX-License-Identifier: MIT
// A work-item takes the softmax of a row.
// launch: --grid 1024 --workgroup 64 --arg f32:random(1):131072 --arg f32:zero:131072 --arg i32:1024 --arg i32:128
// expert: --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void softmax_rows(const float* x, float* y, int n, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= n) return;
  float most = -3.4e38f;
  for (int i = lane; i < columns; i += 64) most = fmaxf(most, x[row * columns + i]);
  for (int mask = 32; mask > 0; mask /= 2) most = fmaxf(most, __shfl_xor(most, mask));
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 64) sum += expf(x[row * columns + i] - most);
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  for (int i = lane; i < columns; i += 64) y[row * columns + i] = expf(x[row * columns + i] - most) / sum;
}
