// SPDX-License-Identifier: MIT
// Neighbouring lanes take neighbouring rows of a matrix.
// launch: --grid 512,512 --workgroup 16,16 --arg f32:random(1):262144 --arg f32:random(2):512 --arg f32:zero:262144 --arg i32:512
// expert: 
#include <hip/hip_runtime.h>

extern "C" __global__ void scaled_columns(const float* x, const float* scale, float* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  y[row * n + column] = x[row * n + column] * scale[column];
}
