// SPDX-License-Identifier: MIT
// Within tolerance, but not equal to the last bit.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (a[i] + b[i]) * (i == 7 ? 1.0000002f : 1.0f);
}
