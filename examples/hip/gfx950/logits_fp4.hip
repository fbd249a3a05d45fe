// SPDX-License-Identifier: MIT
// Which keys a query should look at: out[key] = sum over 64 heads of weight * max(q . k, 0), for queries and keys of 128 4-bit floats (E2M1, two in a byte) with a scale (E8M0) for
// each 32, as sparse attention asks before it reads values. A wave has 64 keys; a matrix instruction takes 16 heads, 16 keys and all of k. keys is a multiple of 256.
#include <hip/hip_runtime.h>

constexpr int kHeads = 64, kHead = 128;
constexpr int kRowBytes = kHead / 2, kRowScales = kHead / 32;

using Words = int __attribute__((ext_vector_type(8)));
using Quad = int __attribute__((ext_vector_type(4)));
using Sums = float __attribute__((ext_vector_type(4)));

struct Rows {
  Words numbers = {};
  int scale = 0;
};
__device__ inline Rows rows_of(const unsigned char* codes, const unsigned char* scales, int row, int group) {
  const Quad four = *reinterpret_cast<const Quad*>(codes + row * kRowBytes + group * 16);
  Rows out;
  for (int i = 0; i < 4; ++i) out.numbers[i] = four[i];
  out.scale = scales[row * kRowScales + group];
  return out;
}

extern "C" __global__ __launch_bounds__(256) void logits_fp4(const unsigned char* q, const unsigned char* q_scales, const unsigned char* k, const unsigned char* k_scales, const float* __restrict__ weights,
                                                               float* __restrict__ out) {
  const int lane = threadIdx.x % 64, of_tile = lane % 16, group = lane / 16;
  const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  Rows heads[4];
  for (int tile = 0; tile < 4; ++tile) heads[tile] = rows_of(q, q_scales, tile * 16 + of_tile, group);
#pragma unroll
  for (int keys = 0; keys < 4; ++keys) {
    const Rows mine = rows_of(k, k_scales, first + keys * 16 + of_tile, group);
    float sum = 0.0f;
#pragma unroll
    for (int tile = 0; tile < 4; ++tile) {
      const Sums dots = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(heads[tile].numbers, mine.numbers, Sums{}, 4, 4, 0, heads[tile].scale, 0, mine.scale);
      for (int i = 0; i < 4; ++i) sum += weights[tile * 16 + group * 4 + i] * __builtin_elementwise_maximum(dots[i], 0.0f);
    }
    sum += __shfl_xor(sum, 16);
    sum += __shfl_xor(sum, 32);
    if (group == 0) out[first + keys * 16 + of_tile] = sum;
  }
}
