// SPDX-License-Identifier: MIT
// A work-item sums a row of a row-major matrix.
// fault: uncoalesced-load
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) sum += in[row * 64 + k] * 0.5f;  // fault
  out[row] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) sum += in[k * 131072 + row] * 0.5f;
  out[row] = sum;
}
