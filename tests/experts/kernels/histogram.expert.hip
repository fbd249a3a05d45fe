// SPDX-License-Identifier: MIT
// All work-items count in global memory.
// launch: --grid 65536 --workgroup 256 --arg i32:random(1):65536 --arg u32:zero:64 --arg i32:65536
// expert: --workgroup 256
#include <hip/hip_runtime.h>

extern "C" __global__ void histogram(const int* x, unsigned* bins, int n) {
  __shared__ unsigned mine[64];
  if (threadIdx.x < 64) mine[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[x[i] & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64 && mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
