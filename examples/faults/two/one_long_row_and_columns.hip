// SPDX-License-Identifier: MIT
// Rows of a sparse matrix, walked by a work-item each; the last ones are long.
// fault: load-imbalance,uncoalesced-load
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):4194304 --arg f32:zero:65536
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int length = i >= 65536 - 256 ? 3000 : 24;  // fault
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < length; ++k) sum += in[(i * 64 + k) & 4194303];  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 36; ++k) sum += in[(k * 65536 + i) & 4194303];
  out[i] = sum;
}
