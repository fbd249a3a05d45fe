// SPDX-License-Identifier: MIT
// pow of a double for a float result.
// fault: double-precision
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (int k = 0; k < 16; ++k) sum += sqrt(double(v) + k) * 0.1;  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (int k = 0; k < 16; ++k) sum += sqrtf(v + k) * 0.1f;
  out[i] = sum;
}
