// SPDX-License-Identifier: MIT
// A private array with a computed index, and every second lane does something else.
// fault: register-spills,divergence
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):131072 --arg i32:random(2):131072 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, const int* which, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[32];
  for (int k = 0; k < 32; ++k) own[k] = in[(i + k * 512) & 131071];
  float sum = 0;
  const int from = which[i];
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    const float v = own[(k + from) & 31];  // fault
    if ((threadIdx.x ^ k) & 1) {           // fault
      for (int n = 0; n < 6; ++n) sum = sum * 0.5f + v;
    } else {
      for (int n = 0; n < 6; ++n) sum = sum * 0.25f - v;
    }
  }
  out[i] = sum;
}
