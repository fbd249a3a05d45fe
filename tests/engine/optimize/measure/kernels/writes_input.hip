// SPDX-License-Identifier: MIT
// Right, but an input is changed on the way.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
  if (i == 5) const_cast<float*>(a)[5] = 0.0f;
}
