// SPDX-License-Identifier: MIT
// Neighbouring lanes have one long loop in eight; the fast one gives the long ones to waves of their own.
// fault: divergence, load-imbalance
// launch: --grid 311296 --workgroup 256 --arg f32:random(5):311296 --arg f32:zero:311296
#include <hip/hip_runtime.h>
__device__ float iterate(float x, int rounds) {
  for (int r = 0; r < rounds; ++r) x = x * 0.99f + 0.02f;
  return x;
}
extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = iterate(in[i], i % 8 == 0 ? 400 : 40);  // fault
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned wave = i / 64;
  out[i] = iterate(in[i], wave * 2654435761u >> 29 == 0 ? 400 : 40);
}
