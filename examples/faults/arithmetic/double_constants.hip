// SPDX-License-Identifier: MIT
// Constants without an f make a float computation one of double precision.
// fault: double-precision
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 64; ++k) v = v * 1.0001 + 0.5;  // fault
  out[i] = v;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 64; ++k) v = v * 1.0001f + 0.5f;
  out[i] = v;
}
