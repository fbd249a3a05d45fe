// SPDX-License-Identifier: MIT
// Row-wise softmax, naive: one work-item walks one row three times. The trip count is known at run time only.
#include <hip/hip_runtime.h>

extern "C" __global__ void softmax(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long>(row) * columns;
  float* y = out + static_cast<long>(row) * columns;
  float highest = x[0];
  {
    int i_base = 1;
    for (; i_base < (columns) && (columns) - i_base >= 4; i_base += 4) {
      float x_read[4];
      __builtin_memcpy(x_read, &x[i_base], sizeof x_read);
      #pragma unroll
      for (int i_lane = 0; i_lane < 4; ++i_lane) {
        highest = fmaxf(highest, x_read[i_lane]);
      }
    }
    for (int i = i_base; i < columns; ++i) highest = fmaxf(highest, x[i]);
  }
  float sum = 0.0f;
  {
    int i_base = 0;
    for (; i_base < (columns) && (columns) - i_base >= 4; i_base += 4) {
      float x_read[4];
      __builtin_memcpy(x_read, &x[i_base], sizeof x_read);
      #pragma unroll
      for (int i_lane = 0; i_lane < 4; ++i_lane) {
        sum += expf(x_read[i_lane] - highest);
      }
    }
    for (int i = i_base; i < columns; ++i) sum += expf(x[i] - highest);
  }
  const float scale = 1.0f / sum;
  for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;
}
