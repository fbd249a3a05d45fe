// SPDX-License-Identifier: MIT
// The nearest hit of all rays by a 64-bit atomic minimum of each lane, or of each workgroup.
// fault: contended-atomics
// launch: --grid 524288 --workgroup 128 --arg f32:random(3):524288 --arg u64:random(1):4
#include <hip/hip_runtime.h>
typedef unsigned long long Key;
static __device__ inline Key key_of(float d, unsigned id) { return (Key)__float_as_uint(fabsf(d)) << 32 | id; }
extern "C" __global__ void slow(const float* d, Key* best) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(best + (i & 1), key_of(d[i], i)); // fault
}
extern "C" __global__ void fast(const float* d, Key* best) {
  __shared__ Key part[2];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Key mine = key_of(d[i], i);
  for (int k = 32; k > 1; k >>= 1) {
    const Key other = __shfl_xor(mine, k);
    mine = other < mine ? other : mine;
  }
  if (threadIdx.x % 64 < 2) part[threadIdx.x & 1] = mine;
  __syncthreads();
  if (threadIdx.x < 2) atomicMin(best + threadIdx.x, part[threadIdx.x]);
}
