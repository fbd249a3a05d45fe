// SPDX-License-Identifier: MIT
// A double constant in an angle.
// fault: double-precision
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (int k = 1; k <= 32; ++k) sum += v * 3.14159265 / k;  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (int k = 1; k <= 32; ++k) sum += v * 3.14159265f / k;
  out[i] = sum;
}
