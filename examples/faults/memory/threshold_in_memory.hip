// SPDX-License-Identifier: MIT
// A limit that the host may change is read for each element.
// fault: loop-invariant-load
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):262144 --arg f32:random(2):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, const volatile float* limit, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 40; ++k) {
    v = v * 0.9f + 0.1f;
    v = fminf(v, limit[i]);  // fault
  }
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, const volatile float* limit, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  const float most = limit[i];
#pragma unroll 1
  for (int k = 0; k < 40; ++k) v = fminf(v * 0.9f + 0.1f, most);
  out[i] = v;
}
