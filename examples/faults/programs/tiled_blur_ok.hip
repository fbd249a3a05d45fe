// SPDX-License-Identifier: MIT
// A box of 9 along rows from a tile in LDS; well written.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 4096,512 --workgroup 256,1 --arg f32:random(1):2101248 --arg f32:zero:2097152
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[256 + 8];
  const int t = threadIdx.x, x = blockIdx.x * 256 + t, y = blockIdx.y;
  const float* row = in + y * 4104;
  tile[t] = row[x];
  if (t < 8) tile[256 + t] = row[x + 256];
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) s += tile[t + k];
  out[y * 4096 + x] = s * (1.0f / 9);
}
