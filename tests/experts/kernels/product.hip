// SPDX-License-Identifier: MIT
// A matrix product in which every work-item reads its row and its column from memory.
// launch: --grid 256,256 --workgroup 16,16 --arg f32:random(1):65536 --arg f32:random(2):65536 --arg f32:zero:65536 --arg i32:256
// expert: 
#include <hip/hip_runtime.h>

extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
