// SPDX-License-Identifier: MIT
// One element of all is wrong, by more than any tolerance.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 70001 ? a[i] + b[i] + 0.125f : a[i] + b[i];
}
