// SPDX-License-Identifier: MIT
// Odd and even lanes take different ways.
// fault: divergence
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

__device__ float steps(float v, float a, float b) {
  for (int k = 0; k < 150; ++k) v = v * a + b;
  return v;
}

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (threadIdx.x & 1)  // fault
    v = steps(v, 1.5f, 0.25f);
  else
    v = steps(v, 0.5f, -0.125f);
  out[i] = v;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool odd = threadIdx.x & 1;
  out[i] = steps(in[i], odd ? 1.5f : 0.5f, odd ? 0.25f : -0.125f);
}
