// SPDX-License-Identifier: MIT
// Row-wise softmax, naive: one work-item walks one row three times. The trip count is known at run time only.
#include <hip/hip_runtime.h>

extern "C" __global__ void softmax(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long>(row) * columns;
  float* y = out + static_cast<long>(row) * columns;
  float highest = x[0];
  for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);
  const float scale = 1.0f / sum;
  for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;
}
