// SPDX-License-Identifier: MIT
// Columns of an LDS tile meet in a bank, and the index of each is divided.
// fault: lds-bank-conflicts,integer-division
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:262144 --arg i32:37
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int by) {
  __shared__ float tile[64 * 64];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = t; k < 4096; k += 256) tile[k] = in[(i + k) & 262143];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    const int at = (t + k * 3) / by;              // fault
    sum += tile[(t & 63) * 64 + ((at + k) & 63)];  // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out, int by) {
  __shared__ float tile[64 * 65];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = t; k < 4096; k += 256) tile[k / 64 * 65 + k % 64] = in[(i + k) & 262143];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    const int at = (t + k * 3) >> 5;
    sum += tile[(t & 63) * 65 + ((at + k) & 63)];
  }
  out[i] = sum;
}
