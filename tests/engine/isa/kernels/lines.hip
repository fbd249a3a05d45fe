// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

__device__ __forceinline__ float cube(float x) {
  return x * x * x;
}

__device__ __forceinline__ float polynomial(float x) {
  float y = cube(x);
  return y + 3.0f * x + 1.0f;
}

extern "C" __global__ void evaluate(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = polynomial(in[i]);
}
