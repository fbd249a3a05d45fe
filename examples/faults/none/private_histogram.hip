// SPDX-License-Identifier: MIT
// A histogram that each workgroup counts in LDS, and adds once.
// fault: nothing-of-note,bandwidth-used-up,dependent-loads
// launch: --grid 262144 --workgroup 256 --arg u32:random(1):8388608 --arg u32:zero:256
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const uint4* in, unsigned* out) {
  __shared__ unsigned count[256];
  count[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const uint4 v = in[i + k * 262144];
    atomicAdd(&count[v.x >> 24], 1u);
    atomicAdd(&count[v.y >> 24], 1u);
    atomicAdd(&count[v.z >> 24], 1u);
    atomicAdd(&count[v.w >> 24], 1u);
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
}
