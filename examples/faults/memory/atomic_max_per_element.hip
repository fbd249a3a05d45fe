// SPDX-License-Identifier: MIT
// Each work-item puts its maximum into one of four cells.
// fault: contended-atomics
// launch: --grid 1048576 --workgroup 256 --arg u32:random(1):1048576 --arg u32:zero:64
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const unsigned* in, unsigned* most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&most[i & 3], in[i]);  // fault
}
extern "C" __global__ void fast(const unsigned* in, unsigned* most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  for (int n = 32; n >= 4; n /= 2) v = max(v, __shfl_xor(v, n));
  if ((threadIdx.x & 63) < 4) atomicMax(&most[(i & 3) + 16 * (blockIdx.x & 3)], v);
}
