// SPDX-License-Identifier: MIT
// A filter of 33 weights reads 33 neighbours from memory for each element; the fast one reads a piece with its borders into LDS once. The weights are the same for all, so
// that it is no product of matrices.
// fault: redundant-loads
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:random(2):33 --arg f32:zero:524288 --arg i32:524288
#include <hip/hip_runtime.h>

constexpr int kReach = 16;

extern "C" __global__ void slow(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = -kReach; k <= kReach; ++k) {
    const int at = min(max(i + k, 0), n - 1);
    sum += weights[k + kReach] * in[at];  // fault
  }
  out[i] = sum;
}

extern "C" __global__ void fast(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out, int n) {
  __shared__ float piece[256 + 2 * kReach];
  const int first = blockIdx.x * 256 - kReach;
  for (int t = threadIdx.x; t < 256 + 2 * kReach; t += 256) piece[t] = in[min(max(first + t, 0), n - 1)];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * kReach; ++k) sum += weights[k] * piece[threadIdx.x + k];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
