// SPDX-License-Identifier: MIT
// A hash table index by modulo with a run-time size.
// fault: integer-division
// launch: --grid 524288 --workgroup 256 --arg u32:iota:524288 --arg u32:zero:524288 --arg u32:4096
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const unsigned* in, unsigned* out, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i], h = 0;
#pragma unroll 1
  for (int k = 0; k < 40; ++k) h = (h * 31 + v + k) % size;  // fault
  out[i] = h;
}
extern "C" __global__ void fast(const unsigned* in, unsigned* out, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i], h = 0;
#pragma unroll 1
  for (int k = 0; k < 40; ++k) h = (h * 31 + v + k) & (size - 1);
  out[i] = h;
}
