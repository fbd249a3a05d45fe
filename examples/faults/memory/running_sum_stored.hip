// SPDX-License-Identifier: MIT
// Each step of a sum is stored to the same element.
// fault: redundant-stores
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, volatile float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 48; ++k) {
    v = v * 0.75f + 0.5f;
    out[i] = v;  // fault
  }
}
extern "C" __global__ void fast(const float* in, volatile float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 48; ++k) v = v * 0.75f + 0.5f;
  out[i] = v;
}
