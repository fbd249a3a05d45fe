// SPDX-License-Identifier: MIT
// A work-item normalizes a row.
// launch: --grid 512 --workgroup 64 --arg f32:random(1):131072 --arg f32:random(2):256 --arg f32:random(3):256 --arg f32:zero:131072 --arg i32:512 --arg i32:256
// expert: --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void layer_norm(const float* x, const float* gain, const float* bias, float* y, int n, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= n) return;
  float sum = 0.0f;
  for (int i = lane; i < columns; i += 64) sum += x[row * columns + i];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  const float mean = sum / columns;
  float squares = 0.0f;
  for (int i = lane; i < columns; i += 64) {
    const float d = x[row * columns + i] - mean;
    squares += d * d;
  }
  for (int mask = 32; mask > 0; mask /= 2) squares += __shfl_xor(squares, mask);
  const float scale = rsqrtf(squares / columns + 1e-5f);
  for (int i = lane; i < columns; i += 64)
    y[row * columns + i] = (x[row * columns + i] - mean) * scale * gain[i] + bias[i];
}
