// SPDX-License-Identifier: MIT
// Attention of one head: out = softmax(q k' / sqrt(kHead)) v for queries x kHead, keys x kHead and keys x kHead, row-major. A work-item
// keeps one query and its row of out in registers and walks over all keys, which the workgroup brings to LDS tile by tile. The softmax
// is online: only the highest score so far and the sum of the weights are kept, and a higher score scales down what was summed before.
#include <hip/hip_runtime.h>

constexpr int kHead = 32;
constexpr int kTile = 16;  // keys in LDS

extern "C" __global__ __launch_bounds__(64) void attention(const float* q, const float* k, const float* v, float* out,
                                                            int queries, int keys) {
  __shared__ float tile_k[kTile][kHead];
  __shared__ float tile_v[kTile][kHead];
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = query < queries;
  const float scale = 1.0f / sqrtf(static_cast<float>(kHead));
  float mine[kHead], sums[kHead];
  for (int i = 0; i < kHead; ++i) {
    mine[i] = inside ? q[query * kHead + i] * scale : 0.0f;
    sums[i] = 0.0f;
  }
  float highest = -INFINITY, weights = 0.0f;
  for (int base = 0; base < keys; base += kTile) {
    const int held = min(kTile, keys - base);
    for (int i = threadIdx.x; i < held * kHead; i += blockDim.x) {
      tile_k[i / kHead][i % kHead] = k[base * kHead + i];
      tile_v[i / kHead][i % kHead] = v[base * kHead + i];
    }
    __syncthreads();
    for (int key = 0; key < held; ++key) {
      float score = 0.0f;
      for (int i = 0; i < kHead; ++i) score += mine[i] * tile_k[key][i];
      const float higher = fmaxf(highest, score);
      const float shrink = expf(highest - higher), weight = expf(score - higher);  // shrink is 0 for the first key
      for (int i = 0; i < kHead; ++i) sums[i] = sums[i] * shrink + weight * tile_v[key][i];
      weights = weights * shrink + weight;
      highest = higher;
    }
    __syncthreads();
  }
  if (!inside) return;
  for (int i = 0; i < kHead; ++i) out[query * kHead + i] = sums[i] / weights;
}
