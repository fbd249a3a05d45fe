// SPDX-License-Identifier: MIT
// How often each of eight classes is the largest of its scores: every work-item counts in memory, or in LDS first.
// fault: contended-atomics
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):2097152 --arg u32:zero:8
#include <hip/hip_runtime.h>

__device__ int largest(const float4* score, int i) {
  const float4 a = score[2 * i], b = score[2 * i + 1];
  const float v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  int best = 0;
  float most = v[0];
#pragma unroll
  for (int k = 1; k < 8; ++k) {
    best = v[k] > most ? k : best;
    most = fmaxf(most, v[k]);
  }
  return best;
}

extern "C" __global__ void slow(const float4* score, unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(count + largest(score, i), 1u);  // fault
}
extern "C" __global__ void fast(const float4* score, unsigned* count) {
  __shared__ unsigned mine[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8) mine[threadIdx.x] = 0;
  __syncthreads();
  const int best = largest(score, i);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned long long who = __ballot(best == k);
    if (threadIdx.x % 64 == 0) atomicAdd(mine + k, __popcll(who));
  }
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(count + threadIdx.x, mine[threadIdx.x]);
}
