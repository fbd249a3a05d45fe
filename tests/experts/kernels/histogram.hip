// SPDX-License-Identifier: MIT
// All work-items count in global memory.
// launch: --grid 262144 --workgroup 256 --arg i32:random(1):262144 --arg u32:zero:8 --arg i32:262144
// expert: --workgroup 256
#include <hip/hip_runtime.h>

extern "C" __global__ void histogram(const int* x, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[x[i] & 7], 1u);
}
