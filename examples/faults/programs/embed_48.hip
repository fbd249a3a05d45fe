// SPDX-License-Identifier: MIT
// Embedding of 48 halves scaled: a workgroup of 48 for each token, or full workgroups.
// fault: unused-lanes,small-workgroups
// launch: --grid 1572864 --workgroup 48 --arg f16:random(1):1572864 --arg f16:zero:1572864 --arg f32:0.7
// launch fast: --grid 1572864 --workgroup 256 --arg f16:random(1):1572864 --arg f16:zero:1572864 --arg f32:0.7
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
__device__ __half squash(__half h, float s) {
  float v = __half2float(h) * s;
#pragma unroll
  for (int k = 0; k < 24; ++k) v = v - 0.1f * v * v + 0.01f;
  return __float2half(v);
}
extern "C" __global__ void slow(const __half* table, __half* out, float s) {
  const unsigned token = blockIdx.x, d = threadIdx.x;
  out[token * 48 + d] = squash(table[token * 48 + d], s);
}
extern "C" __global__ void fast(const __half* table, __half* out, float s) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  out[i] = squash(table[i], s);
}
