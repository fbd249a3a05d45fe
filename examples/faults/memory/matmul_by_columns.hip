// SPDX-License-Identifier: MIT
// A matrix product whose neighbours take rows of the result, so that each loads another row of A.
// fault: uncoalesced-load,redundant-loads,narrow-loads
// launch: --grid 256,256 --workgroup 64,4 --arg f32:random(1):65536 --arg f32:random(2):65536 --arg f32:zero:65536 --arg i32:256
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];  // fault
  c[row * n + column] = sum;
}

extern "C" __global__ void fast(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
