// SPDX-License-Identifier: MIT
// Softmax of products of queries with keys, times values, heads of 32 numbers: one work-item a row, three passes.
// launch: --grid 256 --workgroup 64 --arg f32:random(1):8192 --arg f32:random(2):8192 --arg f32:random(3):8192 --arg f32:zero:8192 --arg i32:256
// expert: --workgroup 64
#include <hip/hip_runtime.h>

extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
  __shared__ float keys[32][32], values[32][32];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float mine[32], sums[32];
  for (int e = 0; e < 32; ++e) {
    mine[e] = row < n ? q[row * 32 + e] : 0.0f;
    sums[e] = 0.0f;
  }
  float most = -1e30f, sum = 0.0f;
  for (int first = 0; first < n; first += 32) {
    const int here = min(32, n - first);
    __syncthreads();
    for (int i = threadIdx.x; i < here * 32; i += blockDim.x) keys[i / 32][i % 32] = k[first * 32 + i];
    __syncthreads();
    for (int j = 0; j < here; ++j) {
      float s = 0.0f;
      for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
      most = fmaxf(most, s * 0.1767767f);
    }
  }
  for (int first = 0; first < n; first += 32) {
    const int here = min(32, n - first);
    __syncthreads();
    for (int i = threadIdx.x; i < here * 32; i += blockDim.x) {
      keys[i / 32][i % 32] = k[first * 32 + i];
      values[i / 32][i % 32] = v[first * 32 + i];
    }
    __syncthreads();
    for (int j = 0; j < here; ++j) {
      float s = 0.0f;
      for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
      const float p = expf(s * 0.1767767f - most);
      sum += p;
      for (int e = 0; e < 32; ++e) sums[e] += p * values[j][e];
    }
  }
  if (row >= n) return;
  for (int e = 0; e < 32; ++e) out[row * 32 + e] = sums[e] / sum;
}
