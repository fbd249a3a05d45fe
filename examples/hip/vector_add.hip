// SPDX-License-Identifier: MIT
// out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
