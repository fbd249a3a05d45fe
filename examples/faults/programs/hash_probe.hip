// SPDX-License-Identifier: MIT
// Each look-up follows twelve links from slot to slot of a table; and takes as many slots whose numbers are known.
// fault: dependency-chain
// launch: --grid 65536 --workgroup 256 --arg u32:random(3):2097152 --arg u32:zero:65536
#include <hip/hip_runtime.h>

constexpr unsigned kSlots = 1u << 21;

extern "C" __global__ void slow(const unsigned* slot, unsigned* found) {
  const unsigned key = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = key * 31u & (kSlots - 1), sum = 0;
#pragma unroll 1
  for (int k = 0; k < 12; ++k) {
    at = slot[at] & (kSlots - 1);  // fault
    sum += at;
  }
  found[key] = sum;
}
extern "C" __global__ void fast(const unsigned* slot, unsigned* found) {
  const unsigned key = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 12; ++k) sum += slot[(key * 31u + k * 2654435761u) * 747796405u >> 11] & (kSlots - 1);
  found[key] = sum;
}
