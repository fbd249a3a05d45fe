// SPDX-License-Identifier: MIT
// Pixels to bins of a run-time width: a 64-bit modulo for each, and all add to a few bins in memory.
// fault: contended-atomics,integer-division
// launch: --grid 262144 --workgroup 256 --arg u32:random(1):262144 --arg u32:zero:32 --arg u64:27
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const unsigned* v, unsigned* bins, unsigned long long width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long x = v[i] * 0x9E3779B97F4A7C15ull;
  atomicAdd(&bins[x % width], 1u); // fault
}
extern "C" __global__ void fast(const unsigned* v, unsigned* bins, unsigned long long width) {
  __shared__ unsigned mine[32];
  if (threadIdx.x < 32) mine[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = (v[i] * 0x9E3779B97F4A7C15ull) >> 32;
  atomicAdd(&mine[__umulhi(x, (unsigned)width)], 1u);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
