// SPDX-License-Identifier: MIT
// Whether any neighbour is large is stored after each neighbour.
// fault: redundant-stores
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):262208 --arg i32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, volatile int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int any = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    any |= in[i + k] > 0.99f;
    out[i] = any;  // fault
  }
}
extern "C" __global__ void fast(const float* in, volatile int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int any = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) any |= in[i + k] > 0.99f;
  out[i] = any;
}
