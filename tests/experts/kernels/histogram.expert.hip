// SPDX-License-Identifier: MIT
// All work-items count in global memory.
// launch: --grid 262144 --workgroup 256 --arg i32:random(1):262144 --arg u32:zero:8 --arg i32:262144
// expert: --workgroup 256
#include <hip/hip_runtime.h>

extern "C" __global__ void histogram(const int* x, unsigned* bins, int n) {
  __shared__ unsigned mine[8];
  if (threadIdx.x < 8) mine[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[x[i] & 7], 1u);
  __syncthreads();
  if (threadIdx.x < 8 && mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
