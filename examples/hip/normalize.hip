// SPDX-License-Identifier: MIT
// Every row divided by its sum, one work-item for each row. A row of zeros is divided by zero: docs/debugging.md finds out where.
#include <hip/hip_runtime.h>

__device__ float sum_of(const float* row, int columns) {
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) {
    sum += row[i];
  }
  return sum;
}

extern "C" __global__ void normalize(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long>(row) * columns;
  float* y = out + static_cast<long>(row) * columns;
  const float sum = sum_of(x, columns);
  const float scale = __builtin_amdgcn_rcpf(sum);
  for (int i = 0; i < columns; ++i) {
    y[i] = x[i] * scale;
  }
}
