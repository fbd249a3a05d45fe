// SPDX-License-Identifier: MIT
// A work-item normalizes a row.
// launch: --grid 512 --workgroup 64 --arg f32:random(1):131072 --arg f32:random(2):256 --arg f32:random(3):256 --arg f32:zero:131072 --arg i32:512 --arg i32:256
// expert: --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void layer_norm(const float* x, const float* gain, const float* bias, float* y, int n, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
  const float mean = sum / columns;
  float squares = 0.0f;
  for (int i = 0; i < columns; ++i) {
    const float d = x[row * columns + i] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / columns + 1e-5f);
  for (int i = 0; i < columns; ++i)
    y[row * columns + i] = (x[row * columns + i] - mean) * scale * gain[i] + bias[i];
}
