// SPDX-License-Identifier: MIT
// Never ends for one work-item.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float* spin = out;
  if (i < n) out[i] = a[i] + b[i];
  if (i == 3) while (spin[i] != 12345.0f) {
    }
}
