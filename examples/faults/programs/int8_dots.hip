// SPDX-License-Identifier: MIT
// Products of bytes with eight vectors: every byte becomes a float, or four are multiplied at once.
// fault: conversions
// launch: --grid 262144 --workgroup 256 --arg u32:random(1):1048576 --arg u32:random(2):32 --arg i32:zero:262144
#include <hip/hip_runtime.h>
__device__ inline float byte_of(int w, int k) { return static_cast<float>(static_cast<signed char>(w >> (8 * k))); } // fault
__device__ float dot_floats(int4 a, int4 b) {
  const int x[4] = {a.x, a.y, a.z, a.w}, y[4] = {b.x, b.y, b.z, b.w};
  float s = 0;
#pragma unroll
  for (int w = 0; w < 4; ++w)
#pragma unroll
    for (int k = 0; k < 4; ++k) s += byte_of(x[w], k) * byte_of(y[w], k); // fault
  return s;
}
extern "C" __global__ void slow(const int4* rows, const int4* vectors, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int4 row = rows[i];
  float best = -1e30f;
#pragma unroll 1
  for (int v = 0; v < 8; ++v) {
    int4 mine = vectors[v];
    mine.x ^= threadIdx.x;
    best = fmaxf(best, dot_floats(row, mine));
  }
  out[i] = (int)best;
}
extern "C" __global__ void fast(const int4* rows, const int4* vectors, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int4 row = rows[i];
  int best = -2147483647;
#pragma unroll 1
  for (int v = 0; v < 8; ++v) {
    int4 mine = vectors[v];
    mine.x ^= threadIdx.x;
    int s = __builtin_amdgcn_sdot4(row.x, mine.x, 0, false);
    s = __builtin_amdgcn_sdot4(row.y, mine.y, s, false);
    s = __builtin_amdgcn_sdot4(row.z, mine.z, s, false);
    s = __builtin_amdgcn_sdot4(row.w, mine.w, s, false);
    best = max(best, s);
  }
  out[i] = best;
}
