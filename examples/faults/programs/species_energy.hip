// SPDX-License-Identifier: MIT
// Energy by species in fixed point: every particle adds to one of 16 sums in memory, or in LDS first.
// fault: contended-atomics
// launch: --grid 262144 --workgroup 256 --arg u32:random(5):262144 --arg f32:random(2):262144 --arg u64:zero:16
#include <hip/hip_runtime.h>
using u64 = unsigned long long;
static __device__ u64 fixed(float v) { return static_cast<u64>(fabsf(v) * 1048576.0f); }
extern "C" __global__ void slow(const unsigned* kind, const float* e, u64* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const u64 mine = fixed(0.5f * e[i] * e[i]);
  atomicAdd(sums + (kind[i] & 15), mine); // fault
}
extern "C" __global__ void fast(const unsigned* kind, const float* e, u64* sums) {
  __shared__ u64 part[16];
  if (threadIdx.x < 16) part[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const u64 mine = fixed(0.5f * e[i] * e[i]);
  atomicAdd(part + (kind[i] & 15), mine);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(sums + threadIdx.x, part[threadIdx.x]);
}
