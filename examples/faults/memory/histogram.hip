// SPDX-License-Identifier: MIT
// A histogram of 16 bins with an atomic in memory for each element.
// fault: contended-atomics
// launch: --grid 77824 --workgroup 256 --arg u32:iota:1048576 --arg u32:zero:16 --arg i32:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const unsigned* in, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i] & 15], 1u);  // fault
}

extern "C" __global__ void fast(const unsigned* in, unsigned* bins, int n) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i] & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
