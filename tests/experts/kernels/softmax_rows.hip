// SPDX-License-Identifier: MIT
// A work-item takes the softmax of a row.
// launch: --grid 1024 --workgroup 64 --arg f32:random(1):131072 --arg f32:zero:131072 --arg i32:1024 --arg i32:128
// expert: --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void softmax_rows(const float* x, float* y, int n, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float most = x[row * columns];
  for (int i = 1; i < columns; ++i) most = fmaxf(most, x[row * columns + i]);
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += expf(x[row * columns + i] - most);
  for (int i = 0; i < columns; ++i) y[row * columns + i] = expf(x[row * columns + i] - most) / sum;
}
