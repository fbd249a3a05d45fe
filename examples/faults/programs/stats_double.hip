// SPDX-License-Identifier: MIT
// Moments of floats by constants that are double; the fast one writes them as float.
// fault: double-precision
// launch: --grid 311296 --workgroup 256 --arg f32:random(7):311296 --arg f32:zero:311296
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], m = 0;
  for (int k = 0; k < 32; ++k) {
    m = m * 0.7 + x * 1.3;  // fault
    x = x * 0.5 + 0.1;  // fault
  }
  out[i] = m;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], m = 0;
  for (int k = 0; k < 32; ++k) {
    m = m * 0.7f + x * 1.3f;
    x = x * 0.5f + 0.1f;
  }
  out[i] = m;
}
