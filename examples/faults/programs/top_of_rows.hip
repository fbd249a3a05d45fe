// SPDX-License-Identifier: MIT
// The two largest of 16 long rows: one workgroup a row, or 32 with a piece each.
// fault: small-grid
// launch: --grid 4096 --workgroup 256 --arg f32:random(8):2097152 --arg f32:zero:1024 --arg i32:131072 --arg i32:1
// launch fast: --grid 131072 --workgroup 256 --arg f32:random(8):2097152 --arg f32:zero:1024 --arg i32:131072 --arg i32:32
#include <hip/hip_runtime.h>
struct Top {
  float first, second;
  __device__ void add(float v) {
    second = fmaxf(second, fminf(first, v));
    first = fmaxf(first, v);
  }
};
__device__ void top2(const float* in, float2* out, int row_length, int pieces) {
  __shared__ Top waves[4];
  const int row = blockIdx.x / pieces, piece = blockIdx.x % pieces, length = row_length / pieces;
  const float* mine = in + (size_t)row * row_length + piece * length;
  Top top{-1e30f, -1e30f};
#pragma unroll 4
  for (int k = threadIdx.x; k < length; k += 256) top.add(mine[k]);
  for (int d = 32; d; d >>= 1) {
    const float a = __shfl_xor(top.first, d), b = __shfl_xor(top.second, d);
    top.add(a);
    top.second = fmaxf(top.second, b);
  }
  if (threadIdx.x % 64 == 0) waves[threadIdx.x / 64] = top;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 4; ++w) {
      top.add(waves[w].first);
      top.add(waves[w].second);
    }
    out[blockIdx.x] = make_float2(top.first, top.second);
  }
}
extern "C" __global__ void slow(const float* in, float2* out, int n, int pieces) { top2(in, out, n, pieces); }
extern "C" __global__ void fast(const float* in, float2* out, int n, int pieces) { top2(in, out, n, pieces); }
