// SPDX-License-Identifier: MIT
// Particles of a cell follow each other by links through memory, or by their order.
// fault: dependency-chain,small-grid
// launch: --grid 32768 --workgroup 64 --arg u64:chain(1,3):2097152 --arg u64:zero:32768
#include <hip/hip_runtime.h>
struct Cell { const Cell* next; };
extern "C" __global__ void slow(const Cell* cells, unsigned long long* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* at = cells + (i / 64) * 61;
  for (int k = 0; k < 40; ++k) at = at->next; // fault
  out[i] = (unsigned long long)at;
}
extern "C" __global__ void fast(const Cell* cells, unsigned long long* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* at = cells + (i / 64) * 61;
  unsigned long long s = 0;
#pragma unroll 8
  for (int k = 0; k < 40; ++k) s += (unsigned long long)at[k].next;
  out[i] = s;
}
