// SPDX-License-Identifier: MIT
// Two faults: a work-item takes a row, and all rows are one workgroup.
// launch: --grid 1024 --workgroup 1024 --arg f32:random(1):524288 --arg f32:random(2):512 --arg f32:zero:1024 --arg i32:1024 --arg i32:512
// expert: --workgroup 64 --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void gemv(const float* a, const float* x, float* y, int n, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += a[row * columns + i] * x[i];
  y[row] = sum;
}
