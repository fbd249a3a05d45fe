// SPDX-License-Identifier: MIT
// A histogram of 64 bins private to each lane in an array that is indexed by data, or in LDS by byte columns.
// fault: register-spills
// launch: --grid 131072 --workgroup 64 --arg u32:random(1):4194304 --arg u32:zero:131072
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const unsigned* in, unsigned* out) {
  unsigned bins[48];
  for (int b = 0; b < 48; ++b) bins[b] = 0;
  const unsigned i = blockIdx.x * 64 + threadIdx.x, n = gridDim.x * 64;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) bins[in[k * n + i] % 48]++; // fault
  unsigned most = 0;
  for (int b = 0; b < 48; ++b) most = max(most, bins[b]);
  out[i] = most;
}
extern "C" __global__ void fast(const unsigned* in, unsigned* out) {
  __shared__ unsigned char bins[48][64];
  for (int b = 0; b < 48; ++b) bins[b][threadIdx.x] = 0;
  const unsigned i = blockIdx.x * 64 + threadIdx.x, n = gridDim.x * 64;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) bins[in[k * n + i] % 48][threadIdx.x]++;
  unsigned most = 0;
  for (int b = 0; b < 48; ++b) most = max(most, (unsigned)bins[b][threadIdx.x]);
  out[i] = most;
}
