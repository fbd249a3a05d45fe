// SPDX-License-Identifier: MIT
// Softmax of products of queries with keys, times values, heads of 32 numbers: one work-item a row, three passes.
// launch: --grid 256 --workgroup 64 --arg f32:random(1):8192 --arg f32:random(2):8192 --arg f32:random(3):8192 --arg f32:zero:8192 --arg i32:256
// expert: --workgroup 64
#include <hip/hip_runtime.h>

extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float most = -1e30f, sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    float s = 0.0f;
    for (int e = 0; e < 32; ++e) s += q[row * 32 + e] * k[j * 32 + e];
    most = fmaxf(most, s * 0.1767767f);
  }
  for (int j = 0; j < n; ++j) {
    float s = 0.0f;
    for (int e = 0; e < 32; ++e) s += q[row * 32 + e] * k[j * 32 + e];
    sum += expf(s * 0.1767767f - most);
  }
  for (int e = 0; e < 32; ++e) out[row * 32 + e] = 0.0f;
  for (int j = 0; j < n; ++j) {
    float s = 0.0f;
    for (int e = 0; e < 32; ++e) s += q[row * 32 + e] * k[j * 32 + e];
    const float p = expf(s * 0.1767767f - most) / sum;
    for (int e = 0; e < 32; ++e) out[row * 32 + e] += p * v[j * 32 + e];
  }
}
