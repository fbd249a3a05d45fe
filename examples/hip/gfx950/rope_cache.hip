// SPDX-License-Identifier: MIT
// The rotary embedding of one token's queries and keys in bfloat16, and its keys and values into their caches: a wave for each token and head of the queries, of
// which the first kv_heads also have one of the keys and of the values. Heads have 128 numbers, of which a lane has two; number i turns with number i + 64, which is
// half a wave away. cosines and sines are rows of 64 by position. The cache of values is transposed: [head][number][slot].
#include <hip/hip_runtime.h>

constexpr int kHead = 128, kHalf = kHead / 2;

using Two = __bf16 __attribute__((ext_vector_type(2)));

__device__ inline Two turned(Two mine, Two cosine, Two sine, int lane) {
  const int bits = __shfl_xor(__builtin_bit_cast(int, mine), 32);
  const Two other = __builtin_bit_cast(Two, bits);
  Two out;
  for (int i = 0; i < 2; ++i) {
    const float turn = static_cast<float>(other[i]) * static_cast<float>(sine[i]);
    out[i] = static_cast<__bf16>(static_cast<float>(mine[i]) * static_cast<float>(cosine[i]) + (lane < 32 ? -turn : turn));
  }
  return out;
}

extern "C" __global__ __launch_bounds__(64) void rope_cache(const Two* q, const Two* k, const Two* v, const int* positions, const int* slots_of, const Two* cosines, const Two* sines,
                                                              Two* q_out, Two* key_cache, __bf16* value_cache, int kv_heads, int slots) {
  const int lane = threadIdx.x, head = blockIdx.x, token = blockIdx.y, heads = gridDim.x;
  const int position = positions[token];
  const Two cosine = cosines[position * (kHalf / 2) + lane % 32], sine = sines[position * (kHalf / 2) + lane % 32];
  const int at = (token * heads + head) * 64 + lane;
  q_out[at] = turned(q[at], cosine, sine, lane);
  if (head >= kv_heads) return;
  const int from = (token * kv_heads + head) * 64 + lane, slot = slots_of[token];
  key_cache[(slot * kv_heads + head) * 64 + lane] = turned(k[from], cosine, sine, lane);
  const Two value = v[from];
  __bf16* to = value_cache + (head * kHead + lane * 2) * slots + slot;
  to[0] = value[0];
  to[slots] = value[1];
}
