// SPDX-License-Identifier: MIT
// Attention of one head in bfloat16: out = softmax(q k' / sqrt(kHead)) v for queries x kHead, keys x kHead and keys x kHead, row-major; queries and keys are
// multiples of 32. A wave has 32 queries and walks over all keys, 32 at a time, with the online softmax. Scores are made transposed (k q'), so that a lane has
// those of one query and the weights go into the second product as they lie; what lanes of the two halves hold of one query comes together by
// v_permlane32_swap. v goes through LDS, from where ds_read_b64_tr_b16 brings its columns.
#include <hip/hip_runtime.h>

constexpr int kHead = 32;
constexpr int kKeys = 32;  // of one step

using Four = __bf16 __attribute__((ext_vector_type(4)));
using Eight = __bf16 __attribute__((ext_vector_type(8)));
using Sums = float __attribute__((ext_vector_type(16)));
using Pair = unsigned __attribute__((ext_vector_type(2)));
using LdsFour = __attribute__((address_space(3))) Four*;

// Of the lane and of that 32 lanes away: the one of the lower half first.
struct Halves {
  float lower, upper;
};
__device__ inline Halves both_halves(float mine) {
  const unsigned bits = __builtin_bit_cast(unsigned, mine);
  const Pair both = __builtin_amdgcn_permlane32_swap(bits, bits, false, false);
  const unsigned lower = both[0], upper = both[1];
  return {__builtin_bit_cast(float, lower), __builtin_bit_cast(float, upper)};
}

extern "C" __global__ __launch_bounds__(64) void attention_bf16(const __bf16* q, const __bf16* k, const __bf16* v, float* out, int keys) {
  __shared__ __attribute__((aligned(16))) __bf16 tile[kKeys][kHead];
  const int lane = threadIdx.x, column = lane % 32, half = lane / 32;
  const int query = blockIdx.x * 32 + column;
  constexpr float kScale = 0.17677669529663687f * 1.4426950408889634f;  // 1 / sqrt(32), for powers of two
  Eight mine[2];
  for (int part = 0; part < 2; ++part) mine[part] = *reinterpret_cast<const Eight*>(q + query * kHead + part * 16 + half * 8);
  Sums sums = {};
  float highest = -__builtin_inff(), weights = 0.0f;
  for (int base = 0; base < keys; base += kKeys) {
    // Rows of v: 64 lanes bring 16 numbers each.
    const Eight* from = reinterpret_cast<const Eight*>(v + (base + lane / 2) * kHead + lane % 2 * 16);
    Eight* to = reinterpret_cast<Eight*>(&tile[lane / 2][lane % 2 * 16]);
    to[0] = from[0];
    to[1] = from[1];
    Sums scores = {};
    for (int part = 0; part < 2; ++part) {
      const Eight key = *reinterpret_cast<const Eight*>(k + (base + column) * kHead + part * 16 + half * 8);
      scores = __builtin_amdgcn_mfma_f32_32x32x16_bf16(key, mine[part], scores, 0, 0, 0);
    }
    __syncthreads();
    // Element i of a lane is the score of key i / 4 * 8 + half * 4 + i % 4.
    float most = highest;
    for (int i = 0; i < 16; ++i) most = __builtin_fmaxf(most, scores[i] * kScale);
    const Halves of_both = both_halves(most);
    most = __builtin_fmaxf(of_both.lower, of_both.upper);
    const float shrink = __builtin_amdgcn_exp2f(highest - most);
    highest = most;
    float added = 0.0f;
    Eight weight[2];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const float one = __builtin_amdgcn_exp2f(scores[i] * kScale - most);
      added += one;
      weight[i / 8][i % 8] = static_cast<__bf16>(one);
    }
    const Halves parts = both_halves(added);
    weights = weights * shrink + parts.lower + parts.upper;
    for (int i = 0; i < 16; ++i) sums[i] *= shrink;
    // out' += v' w': rows are numbers of the head, columns queries, and k are keys in the order in which the lanes hold their weights: 8 of a lane are keys
    // 16 * part + half * 4 + {0..3} and 8 more. A transposing read gives a lane four keys of one column.
    for (int part = 0; part < 2; ++part) {
      Eight value;
      for (int quad = 0; quad < 2; ++quad) {
        const int row = part * 16 + quad * 8 + half * 4 + lane % 16 / 4;
        const int first = lane / 16 % 2 * 16 + lane % 4 * 4;
        const Four four = __builtin_amdgcn_ds_read_tr16_b64_v4bf16((LdsFour)&tile[row][first]);
        for (int i = 0; i < 4; ++i) value[quad * 4 + i] = four[i];
      }
      sums = __builtin_amdgcn_mfma_f32_32x32x16_bf16(value, weight[part], sums, 0, 0, 0);
    }
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i) out[query * kHead + i / 4 * 8 + half * 4 + i % 4] = sums[i] / weights;
}
