// SPDX-License-Identifier: MIT
// Thresholds counted by ballots, one atomic a workgroup; well written.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 311296 --workgroup 256 --arg u32:random(1):19922944 --arg u32:zero:1
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const uint4* in, unsigned* out) {
  __shared__ unsigned part[4];
  const unsigned i = blockIdx.x * 256 + threadIdx.x, n = gridDim.x * 256;
  unsigned c = 0;
#pragma unroll 4
  for (unsigned k = 0; k < 16; ++k) {
    const uint4 v = in[k * n + i];
    c += (v.x > 1u << 30) + (v.y > 1u << 30) + (v.z > 1u << 30) + (v.w > 1u << 30);
  }
  for (int d = 32; d; d >>= 1) c += __shfl_xor(c, d);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = c;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, part[0] + part[1] + part[2] + part[3]);
}
