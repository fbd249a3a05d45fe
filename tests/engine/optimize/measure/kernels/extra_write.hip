// SPDX-License-Identifier: MIT
// Also writes an element that the original leaves alone.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n || i == n + 1) out[i] = a[i] + b[i];
}
