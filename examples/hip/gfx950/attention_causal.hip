// SPDX-License-Identifier: MIT
// Causal attention in bfloat16 with heads of 128 numbers, of one part of the queries of a longer text: query i may look at the keys up to first + i. A workgroup has 128 queries of one
// head, each of its four waves 32, and walks over the keys 32 at a time with the online softmax, as attention_bf16.hip does it. Keys and values of a step go through LDS for all four; values
// leave it transposed, by ds_read_b64_tr_b16. Arrays are [head][row][number]; queries are a multiple of 128, first of 32, and there are first + queries keys; head h of the
// queries has head h modulo kv_heads of the keys and values: workgroups are dealt to the XCDs in turn, and so those that read the same keys share an L2.
#include <hip/hip_runtime.h>

constexpr int kHead = 128, kKeys = 32, kQueries = 128;
constexpr int kPitch = kHead + 8;  // so that rows begin in other banks

using Four = __bf16 __attribute__((ext_vector_type(4)));
using Eight = __bf16 __attribute__((ext_vector_type(8)));
using Sums = float __attribute__((ext_vector_type(16)));
using Pair = unsigned __attribute__((ext_vector_type(2)));
using LdsFour = __attribute__((address_space(3))) Four*;

struct Halves {
  float lower, upper;
};
__device__ inline Halves both_halves(float mine) {
  const unsigned bits = __builtin_bit_cast(unsigned, mine);
  const Pair both = __builtin_amdgcn_permlane32_swap(bits, bits, false, false);
  const unsigned lower = both[0], upper = both[1];
  return {__builtin_bit_cast(float, lower), __builtin_bit_cast(float, upper)};
}

extern "C" __global__ __launch_bounds__(256) void attention_causal(const __bf16* q, const __bf16* k, const __bf16* v, __bf16* out, int queries, int first, int kv_heads) {
  __shared__ __attribute__((aligned(16))) __bf16 keys_tile[kKeys][kPitch], values_tile[kKeys][kPitch];
  const int item = threadIdx.x, lane = item % 64, column = lane % 32, half = lane / 32;
  const int keys = first + queries, head = blockIdx.y;
  const int query = blockIdx.x * kQueries + item / 64 * 32 + column, last = first + query;
  const __bf16* my_keys = k + static_cast<long>(head % kv_heads) * keys * kHead;
  const __bf16* my_values = v + static_cast<long>(head % kv_heads) * keys * kHead;
  const __bf16* mine = q + (static_cast<long>(head) * queries + query) * kHead;
  constexpr float kScale = 0.08838834764831845f * 1.4426950408889634f;  // 1 / sqrt(128), for powers of two
  Eight of_query[8];
  for (int part = 0; part < 8; ++part) of_query[part] = *reinterpret_cast<const Eight*>(mine + part * 16 + half * 8);
  Sums sums[4] = {};
  float highest = -__builtin_inff(), weights = 0.0f;
  const int end = first + static_cast<int>(blockIdx.x + 1) * kQueries;
  // What the next step needs is under way while this one computes.
  Eight next_keys[2], next_values[2];
  const auto load = [&](int base) {
    for (int i = 0; i < 2; ++i) {
      const int at = (base + i * 16 + item / 16) * kHead + item % 16 * 8;
      next_keys[i] = *reinterpret_cast<const Eight*>(my_keys + at);
      next_values[i] = *reinterpret_cast<const Eight*>(my_values + at);
    }
  };
  load(0);
  for (int base = 0; base < end; base += kKeys) {
    for (int i = 0; i < 2; ++i) {
      *reinterpret_cast<Eight*>(&keys_tile[i * 16 + item / 16][item % 16 * 8]) = next_keys[i];
      *reinterpret_cast<Eight*>(&values_tile[i * 16 + item / 16][item % 16 * 8]) = next_values[i];
    }
    __syncthreads();
    if (base + kKeys < end) load(base + kKeys);
    Sums scores = {};
    for (int part = 0; part < 8; ++part)
      scores = __builtin_amdgcn_mfma_f32_32x32x16_bf16(*reinterpret_cast<const Eight*>(&keys_tile[column][part * 16 + half * 8]), of_query[part], scores, 0, 0, 0);
    // Element i of a lane is the score of key i / 4 * 8 + half * 4 + i % 4.
    float most = highest;
    for (int i = 0; i < 16; ++i) {
      scores[i] = base + i / 4 * 8 + half * 4 + i % 4 > last ? -__builtin_inff() : scores[i] * kScale;
      most = __builtin_fmaxf(most, scores[i]);
    }
    const Halves of_both = both_halves(most);
    most = __builtin_fmaxf(of_both.lower, of_both.upper);
    const float shrink = __builtin_exp2f(highest - most);
    highest = most;
    float added = 0.0f;
    Eight weight[2];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const float one = __builtin_exp2f(scores[i] - most);
      added += one;
      weight[i / 8][i % 8] = static_cast<__bf16>(one);
    }
    const Halves parts = both_halves(added);
    weights = weights * shrink + parts.lower + parts.upper;
#pragma unroll
    for (int block = 0; block < 4; ++block) {
      for (int i = 0; i < 16; ++i) sums[block][i] *= shrink;
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        Eight value;
        for (int quad = 0; quad < 2; ++quad) {
          const int row = part * 16 + quad * 8 + half * 4 + lane % 16 / 4;
          const int from = block * 32 + lane / 16 % 2 * 16 + lane % 4 * 4;
          const Four four = __builtin_amdgcn_ds_read_tr16_b64_v4bf16((LdsFour)&values_tile[row][from]);
          for (int i = 0; i < 4; ++i) value[quad * 4 + i] = four[i];
        }
        sums[block] = __builtin_amdgcn_mfma_f32_32x32x16_bf16(value, weight[part], sums[block], 0, 0, 0);
      }
    }
    __syncthreads();
  }
  __bf16* to = out + (static_cast<long>(head) * queries + query) * kHead;
  const float scale = 1.0f / weights;
#pragma unroll
  for (int block = 0; block < 4; ++block)
    for (int quad = 0; quad < 4; ++quad) {
      Four four;
      for (int i = 0; i < 4; ++i) four[i] = static_cast<__bf16>(sums[block][quad * 4 + i] * scale);
      *reinterpret_cast<Four*>(to + block * 32 + quad * 8 + half * 4) = four;
    }
}
