// SPDX-License-Identifier: MIT
// Half-precision columns out of an LDS tile without padding, by half of the lanes alone.
// fault: divergence,lds-bank-conflicts
// launch: --grid 262144 --workgroup 64 --arg f32:random(1):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
extern "C" __global__ void slow(const float* in, float* out) {
  __shared__ float tile[64 * 32];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  const float mine = in[i];
  for (int k = 0; k < 32; ++k) tile[k * 64 + t] = mine * k;
  __syncthreads();
  float s = 0;
  if (t & 1) { // fault
    for (int k = 0; k < 32; ++k) s += tile[t * 32 + k] * tile[t * 32 + (k ^ 1)]; // fault
  } else { // fault
    for (int k = 0; k < 32; ++k) s = fmaxf(s, tile[t * 32 + k] - s); // fault
  }
  out[i] = s;
}
extern "C" __global__ void fast(const float* in, float* out) {
  __shared__ float tile[64 * 33];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  const float mine = in[i];
  for (int k = 0; k < 32; ++k) tile[k * 65 + t] = mine * k;
  __syncthreads();
  float s = 0;
  if (blockIdx.x & 1) {
    for (int k = 0; k < 32; ++k) s += tile[t * 33 + k] * tile[t * 33 + (k ^ 1)];
  } else {
    for (int k = 0; k < 32; ++k) s = fmaxf(s, tile[t * 33 + k] - s);
  }
  out[i] = s;
}
