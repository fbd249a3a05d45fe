// SPDX-License-Identifier: MIT
// A hash join whose workgroups reserve 60 KiB of LDS for a table of 2 KiB.
// fault: lds-limited-occupancy
// launch: --grid 311296 --workgroup 128 --arg u32:random(1):512 --arg u32:random(2):4194304 --arg u32:zero:311296
#include <hip/hip_runtime.h>
template <int CAPACITY>
__device__ void join(const unsigned* build, const unsigned* probe, unsigned* hits) {
  __shared__ unsigned table[CAPACITY];
  for (int k = threadIdx.x; k < 512; k += 128) table[k] = build[k]; 
  if (threadIdx.x == 0) table[CAPACITY - 1] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned found = 0, at = i;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    const unsigned v = probe[at & 4194303u];
    found += table[v & 511u] > v;
    at = at * 5 + (v >> 31) + 64;
  }
  hits[i] = found + table[CAPACITY - 1];
}
extern "C" __global__ void slow(const unsigned* build, const unsigned* probe, unsigned* hits) { join<15360>(build, probe, hits); }
extern "C" __global__ void fast(const unsigned* build, const unsigned* probe, unsigned* hits) { join<513>(build, probe, hits); }
