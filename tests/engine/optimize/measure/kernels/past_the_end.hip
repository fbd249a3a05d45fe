// SPDX-License-Identifier: MIT
// The first work-item behind the data writes too.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = (i < n ? a[i] + b[i] : 0.0f);
}
