// SPDX-License-Identifier: MIT
// Nearest of 32 centres in 4-D; the centres are loaded again for each of eight points of a lane, or kept in LDS.
// fault: double-precision
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):524288 --arg f32:random(2):128 --arg i32:zero:131072
#include <hip/hip_runtime.h>
#include <math.h>
__device__ int nearest_slow(float4 p, const float4* c) {
  int best = 0;
  float d0 = 1e30f;
  for (int k = 0; k < 32; k++) {
    float4 q = c[k];
    float d = exp(-0.5 * ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z) + (p.w - q.w) * (p.w - q.w))); // fault
    if (-d < d0) { d0 = -d; best = k; }
  }
  return best;
}
__device__ int nearest_fast(float4 p, const float4* c) {
  int best = 0;
  float d0 = 1e30f;
  for (int k = 0; k < 32; k++) {
    float4 q = c[k];
    float d = expf(-0.5f * ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z) + (p.w - q.w) * (p.w - q.w)));
    if (-d < d0) { d0 = -d; best = k; }
  }
  return best;
}
extern "C" __global__ void slow(const float4* p, const float4* c, int* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = nearest_slow(p[i], c); }
extern "C" __global__ void fast(const float4* p, const float4* c, int* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = nearest_fast(p[i], c); }
