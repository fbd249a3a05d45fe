// SPDX-License-Identifier: MIT
// Entropy with a logarithm of each element, of which there are few different ones.
// fault: transcendentals
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i] + 1, sum = 0;
#pragma unroll 4
  for (int k = 0; k < 32; ++k) {
    v += 0.125f;
    sum += __logf(v) * __frsqrt_rn(v);  // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i] + 1, sum = 0;
#pragma unroll 4
  for (int k = 0; k < 32; ++k) {
    v += 0.125f;
    sum += (v - 1.5f) * 0.25f * v;
  }
  out[i] = sum;
}
