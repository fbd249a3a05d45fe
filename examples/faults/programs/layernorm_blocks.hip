// SPDX-License-Identifier: MIT
// Layer normalisation with a tree of barriers for each of two sums, or with shuffles within waves.
// fault: barriers
// launch: --grid 1048576 --workgroup 256 --arg f16:random(1):1048576 --arg f16:zero:1048576
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
__device__ float block_sum(float v, float* lds) {
  int t = threadIdx.x;
  lds[t] = v;
  __syncthreads(); // fault
#pragma unroll 1
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) lds[t] += lds[t + s];
    __syncthreads(); // fault
  }
  float r = lds[0];
  __syncthreads(); // fault
  return r;
}
__device__ float block_sum_fast(float v, float* lds) {
  for (int d = 32; d; d >>= 1) v += __shfl_xor(v, d);
  int w = threadIdx.x >> 6;
  if ((threadIdx.x & 63) == 0) lds[w] = v;
  __syncthreads();
  return lds[0] + lds[1] + lds[2] + lds[3];
}
extern "C" __global__ void slow(const __half* in, __half* out) {
  __shared__ float lds[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = __half2float(in[i]);
  float mean = block_sum(x, lds) / 256;
  float var = block_sum((x - mean) * (x - mean), lds) / 256;
  out[i] = __float2half((x - mean) * __frsqrt_rn(var + 1e-5f));
}
extern "C" __global__ void fast(const __half* in, __half* out) {
  __shared__ float lds[4], lds2[4];
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = __half2float(in[i]);
  float mean = block_sum_fast(x, lds) / 256;
  float var = block_sum_fast((x - mean) * (x - mean), lds2) / 256;
  out[i] = __float2half((x - mean) * __frsqrt_rn(var + 1e-5f));
}
