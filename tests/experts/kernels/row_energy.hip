// SPDX-License-Identifier: MIT
// Two faults: a work-item takes a row, and computes with doubles and powers.
// launch: --grid 1024 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:1024 --arg i32:1024 --arg i32:256
// expert: --items 64
#include <hip/hip_runtime.h>

extern "C" __global__ void row_energy(const float* x, float* sums, int n, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) {
    const float v = x[row * columns + i];
    sum += 0.5 * v + 0.25 * powf(v, 2.0f);
  }
  sums[row] = sum;
}
