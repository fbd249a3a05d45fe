// SPDX-License-Identifier: MIT
// LU of 17 x 17 matrices, each in the registers of one lane (more than it has vector registers), or a row a lane.
// fault: small-grid,accumulator-moves,register-spills
// launch: --grid 19456 --workgroup 64 --arg f32:random(6):5640192 --arg f32:zero:5640192
// launch fast: --grid 622592 --workgroup 64 --arg f32:random(6):5640192 --arg f32:zero:5640192
#include <hip/hip_runtime.h>
constexpr int N = 17;
extern "C" __launch_bounds__(64) __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * 64 + threadIdx.x, n = gridDim.x * 64;
  float m[N][N];
#pragma unroll
  for (int r = 0; r < N; ++r)
#pragma unroll
    for (int c = 0; c < N; ++c) m[r][c] = in[(r * N + c) * n + i]; // fault
#pragma unroll
  for (int k = 0; k < N; ++k) {
    const float inv = __frcp_rn(m[k][k] + 2.0f);
#pragma unroll
    for (int r = k + 1; r < N; ++r) {
      m[r][k] *= inv; // fault
#pragma unroll
      for (int c = k + 1; c < N; ++c) m[r][c] -= m[r][k] * m[k][c]; // fault
    }
  }
#pragma unroll
  for (int r = 0; r < N; ++r)
#pragma unroll
    for (int c = 0; c < N; ++c) out[(r * N + c) * n + i] = m[r][c]; // fault
}
extern "C" __launch_bounds__(64) __global__ void fast(const float* in, float* out) {
  const int lane = threadIdx.x & 31, sys = (blockIdx.x * 64 + threadIdx.x) >> 5, row = lane < N ? lane : N - 1;
  float m[N];
#pragma unroll
  for (int c = 0; c < N; ++c) m[c] = in[(sys * N + c) * N + row];
#pragma unroll
  for (int k = 0; k < N; ++k) {
    float p[N];
#pragma unroll
    for (int c = k; c < N; ++c) p[c] = __shfl(m[c], k, 32);
    const float f = m[k] * __frcp_rn(p[k] + 2.0f);
    if (lane > k) {
      m[k] = f;
#pragma unroll
      for (int c = k + 1; c < N; ++c) m[c] -= f * p[c];
    }
  }
  if (lane < N)
#pragma unroll
    for (int c = 0; c < N; ++c) out[(sys * N + c) * N + row] = m[c];
}
