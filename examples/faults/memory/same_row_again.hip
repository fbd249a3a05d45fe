// SPDX-License-Identifier: MIT
// Every work-item loads the same coefficients again for each element.
// fault: redundant-loads
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):262144 --arg f32:random(2):64 --arg f32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, volatile const float* factors, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int round = 0; round < 16; ++round)
    for (int k = 0; k < 4; ++k) v = v * 0.5f + factors[k * 16 + threadIdx.x % 16];  // fault
  out[i] = v;
}

extern "C" __global__ void fast(const float* in, volatile const float* factors, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], own[4];
  for (int k = 0; k < 4; ++k) own[k] = factors[k * 16 + threadIdx.x % 16];
  for (int round = 0; round < 16; ++round)
    for (int k = 0; k < 4; ++k) v = v * 0.5f + own[k];
  out[i] = v;
}
