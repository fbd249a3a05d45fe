// SPDX-License-Identifier: MIT
// Every row times a factor of its own, naive: one work-item walks one row and loads the factor anew for each element, because the store
// before might have changed it for all that the compiler knows. The rules restrict and invariant-hoist find that.
#include <hip/hip_runtime.h>

extern "C" __global__ void row_scale(const float* in, const float* factors, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long>(row) * columns;
  float* y = out + static_cast<long>(row) * columns;
  for (int i = 0; i < columns; ++i) y[i] = x[i] * factors[row];
}
