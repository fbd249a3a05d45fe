// SPDX-License-Identifier: MIT
// Iterations until a value leaves a bound, far more in some lanes than in their neighbours.
// fault: divergence
// launch: --grid 262144 --workgroup 256 --arg i32:iota:262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

__device__ float iterate(unsigned i, int most) {
  float v = i % 97 * 0.01f;
  for (int k = 0; k < most; ++k) v = v * 0.999f + 0.001f;
  return v;
}
extern "C" __global__ void slow(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int most = (in[i] * 40503u >> 7) % 16 == 0 ? 512 : 32;
  float v = in[i] % 97 * 0.01f;
  for (int k = 0; k < most; ++k) v = v * 0.999f + 0.001f;  // fault
  out[i] = v;
}
extern "C" __global__ void fast(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int most = i < 16384 ? 512 : 32;
  float v = in[i] % 97 * 0.01f;
  for (int k = 0; k < most; ++k) v = v * 0.999f + 0.001f;
  out[i] = v;
}
