// SPDX-License-Identifier: MIT
// Queries against the keys of their head: workgroups of a head follow each other and so lie on all dies, or every eighth belongs to it.
// fault: xcd-placement
// launch: --grid 262144 --workgroup 128 --arg f32:random(1):262144 --arg f32:random(2):8388608 --arg f32:zero:262144
#include <hip/hip_runtime.h>
constexpr unsigned kHeads = 64, kBlocks = 32, kKeys = 131072;
__device__ void score(const float* q, const float4* keys, float* out, unsigned head, unsigned block) {
  const float4* mine = keys + head * (kKeys / 4);
  const unsigned at = (head * kBlocks + block) * 128 + threadIdx.x;
  const float w = q[at];
  float best = -1e30f;
  for (unsigned k = 0; k < 256; ++k) {
    const float4 v = mine[(k * 128 + threadIdx.x)]; // fault
    best = fmaxf(best, w * (v.x + v.y) + v.z * v.w);
  }
  out[at] = best;
}
extern "C" __global__ void slow(const float* q, const float4* keys, float* out) { score(q, keys, out, blockIdx.x / kBlocks, blockIdx.x % kBlocks); }
extern "C" __global__ void fast(const float* q, const float4* keys, float* out) { score(q, keys, out, blockIdx.x % kHeads, blockIdx.x / kHeads); }
