// SPDX-License-Identifier: MIT
// Two faults: a column of an LDS tile for each lane, and its index by a run-time modulo.
// fault: lds-bank-conflicts,integer-division
// launch: --grid 131072 --workgroup 64 --arg f32:random(1):131072 --arg f32:zero:131072 --arg u32:29
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* in, float* out, unsigned m) {
  __shared__ float tile[64 * 32];
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int k = 0; k < 32; ++k) tile[k * 64 + t] = in[i] + k;
  __syncthreads();
  float s = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 64; ++k) s += tile[t * 32 + k * 7 % m]; // fault
  out[i] = s;
}
extern "C" __global__ void fast(const float* in, float* out, unsigned m) {
  __shared__ float tile[64 * 33];
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int k = 0; k < 32; ++k) tile[k * 64 + t] = in[i] + k;
  __syncthreads();
  float s = 0;
  unsigned at = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 64; ++k) {
    s += tile[t * 33 + at];
    at += 7;
    at = at >= m ? at - m : at;
  }
  out[i] = s;
}
