// SPDX-License-Identifier: MIT
// Kernels whose names people write in several ways. The code object beside it: rpl build k.hip --device-only --flag=-gline-tables-only.
#include <hip/hip_runtime.h>

template <typename T, int N>
__global__ void scale(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * N;
}
template __global__ void scale<float, 4>(const float*, float*, int);

namespace ns {
__global__ void plain(float* x) { x[threadIdx.x] = 1.0f; }
}  // namespace ns
