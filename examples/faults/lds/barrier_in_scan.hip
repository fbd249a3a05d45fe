// SPDX-License-Identifier: MIT
// A scan with barriers in a workgroup of 1024, of which each wave could do its own.
// fault: barriers
// launch: --grid 311296 --workgroup 1024 --arg f32:random(1):311296 --arg f32:zero:311296
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  __shared__ float part[2][1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  int at = 0;
  part[0][t] = in[i];
  for (int round = 0; round < 24; ++round)
    for (int d = 1; d < 32; d *= 2) {
      __syncthreads();  // fault
      part[1 - at][t] = part[at][t] + ((t & 31) >= d ? part[at][t - d] : 0.0f);
      at = 1 - at;
    }
  out[i] = part[at][t];
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  float v = in[i];
  for (int round = 0; round < 24; ++round)
    for (int d = 1; d < 32; d *= 2) {
      const float other = __shfl_up(v, d, 32);
      v += (threadIdx.x & 31) >= d ? other : 0.0f;
    }
  out[i] = v;
}
