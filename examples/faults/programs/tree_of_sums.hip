// SPDX-License-Identifier: MIT
// Sums of workgroups by a tree whose working lanes are those that a modulo picks.
// fault: divergence,integer-division
// launch: --grid 1048576 --workgroup 256 --arg f32:random(5):1048576 --arg f32:zero:4096 --arg i32:1048576
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float part[256];
  const unsigned lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + lane;
  part[lane] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (lane % (2 * s) == 0) part[lane] += part[lane + s];  // fault
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void fast(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float part[256];
  const unsigned lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + lane;
  part[lane] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (lane < s) part[lane] += part[lane + s];
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = part[0];
}
