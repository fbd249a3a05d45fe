// SPDX-License-Identifier: MIT
// Each load needs the one before.
// fault: dependency-chain
// launch: --grid 262144 --workgroup 256 --arg i32:iota:4194304 --arg i32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* next, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i;
#pragma unroll 1
  for (int k = 0; k < 12; ++k) at = (next[at] + 262144) & 4194303;  // fault
  out[i] = at;
}
extern "C" __global__ void fast(const int* next, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 12; ++k) sum += next[(i + k * 262144) & 4194303];
  out[i] = sum & 4194303;
}
