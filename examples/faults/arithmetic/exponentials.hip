// SPDX-License-Identifier: MIT
// An exponential for each step that a product would do.
// fault: transcendentals
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0;
  for (int k = 0; k < 64; ++k) sum += __builtin_amdgcn_exp2f(v * k) + __builtin_amdgcn_sqrtf(sum);  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = 0, power = 1, factor = v + 1.0f;
  for (int k = 0; k < 64; ++k) {
    sum += power + sum * 0.5f;
    power *= factor;
  }
  out[i] = sum;
}
