// SPDX-License-Identifier: MIT
// One workgroup of 512 does 64 times as much as the others.
// fault: load-imbalance
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):131072 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  const int steps = blockIdx.x == 100 ? 16384 : 256;
  for (int k = 0; k < steps; ++k) v = v * 1.001f + 0.5f;  // fault
  out[i] = v;
}

extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 288; ++k) v = v * 1.001f + 0.5f;
  out[i] = v;
}
