// SPDX-License-Identifier: MIT
// Forward substitution of many 64 x 64 systems, one a wave: the solved unknown goes through LDS and two barriers a step, or across lanes.
// fault: barriers
// launch: --grid 131072 --workgroup 256 --arg f32:random(3):65536 --arg f32:random(4):131072 --arg f32:zero:131072
#include <hip/hip_runtime.h>
constexpr int N = 64;
extern "C" __global__ void slow(const float* __restrict__ l, const float* __restrict__ b, float* __restrict__ x) {
  __shared__ float solved[4];
  const int lane = threadIdx.x & 63, sys = threadIdx.x >> 6;
  const float* m = l + (blockIdx.x & 15) * N * N;
  float r = b[blockIdx.x * 256 + threadIdx.x];
  for (int j = 0; j < N; ++j) {
    const float c = m[j * N + lane];
    if (lane == j) solved[sys] = r;
    __syncthreads(); // fault
    const float s = solved[sys];
    if (lane > j) r -= c * s;
    __syncthreads(); // fault
  }
  x[blockIdx.x * 256 + threadIdx.x] = r;
}
extern "C" __global__ void fast(const float* __restrict__ l, const float* __restrict__ b, float* __restrict__ x) {
  const int lane = threadIdx.x & 63;
  const float* m = l + (blockIdx.x & 15) * N * N;
  float r = b[blockIdx.x * 256 + threadIdx.x];
  for (int j = 0; j < N; ++j) {
    const float c = m[j * N + lane];
    const float s = __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, r), j));
    if (lane > j) r -= c * s;
  }
  x[blockIdx.x * 256 + threadIdx.x] = r;
}
