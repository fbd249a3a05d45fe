// SPDX-License-Identifier: MIT
// Does nothing.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 0) out[i] = a[i] + b[i];
}
