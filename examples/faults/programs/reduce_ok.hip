// SPDX-License-Identifier: MIT
// Sum of squares, four floats at a time, a shuffle tree and one atomic a workgroup; well written.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 311296 --workgroup 256 --arg f32:random(1):19922944 --arg u64:zero:1
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float4* in, unsigned long long* out) {
  __shared__ float part[4];
  const unsigned n = gridDim.x * 256;
  float s = 0;
#pragma unroll
  for (unsigned k = 0; k < 16; ++k) {
    const float4 v = in[k * n + blockIdx.x * 256 + threadIdx.x];
    s += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 32; d; d >>= 1) s += __shfl_xor(s, d);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = s;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, (unsigned long long)((part[0] + part[1] + part[2] + part[3]) * 1024));
}
