// SPDX-License-Identifier: MIT
// A scan by one workgroup.
// fault: small-grid
// launch: --grid 256 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:262144 --arg i32:1024
// launch fast: --grid 131072 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:262144 --arg i32:1024
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int rounds) {
  float carry = 0;
  for (int k = 0; k < rounds; ++k) {
    const int i = (k * gridDim.x + blockIdx.x) * 256 + threadIdx.x;
    carry = carry * 0.5f + in[i];
    out[i] = carry;
  }
}
extern "C" __global__ void fast(const float* in, float* out, int rounds) {
  float carry = 0;
  for (int k = 0; k < rounds / int(gridDim.x); ++k) {
    const int i = (k * gridDim.x + blockIdx.x) * 256 + threadIdx.x;
    carry = carry * 0.5f + in[i];
    out[i] = carry;
  }
}
