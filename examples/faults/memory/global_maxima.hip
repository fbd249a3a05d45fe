// SPDX-License-Identifier: MIT
// Sums of four kinds with an atomic of each work-item.
// fault: contended-atomics
// launch: --grid 262144 --workgroup 256 --arg i32:iota:262144 --arg i32:zero:4
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* in, int* sums) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMax(&sums[v & 3], v >> 2);  // fault
}

extern "C" __global__ void fast(const int* in, int* sums) {
  __shared__ int own[4];
  if (threadIdx.x < 4) own[threadIdx.x] = 0;
  __syncthreads();
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMax(&own[v & 3], v >> 2);
  __syncthreads();
  if (threadIdx.x < 4) atomicMax(&sums[threadIdx.x], own[threadIdx.x]);
}
