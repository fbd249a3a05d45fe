// SPDX-License-Identifier: MIT
// One wave of each workgroup walks a list that is far longer than those of the others.
// fault: load-imbalance
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:zero:524288
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int turns = threadIdx.x < 64 ? 1600 : 40;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < turns; ++k) v = v * 0.5f + 0.25f;  // fault
  __syncthreads();
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 430; ++k) v = v * 0.5f + 0.25f;
  __syncthreads();
  out[i] = v;
}
