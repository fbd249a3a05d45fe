// SPDX-License-Identifier: MIT
// A private array whose index is not known, so it lies in scratch memory.
// fault: register-spills
// launch: --grid 262144 --workgroup 256 --arg i32:iota:262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float table[32];
  for (int k = 0; k < 32; ++k) table[k] = k * 0.5f + i;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += table[(in[i] + k * 7) & 31];  // fault
  out[i] = sum;
}

extern "C" __global__ void fast(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += ((in[i] + k * 7) & 31) * 0.5f + i;
  out[i] = sum;
}
