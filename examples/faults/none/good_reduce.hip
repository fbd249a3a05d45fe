// SPDX-License-Identifier: MIT
// A reduction as it should be.
// fault: bandwidth-used-up,dependent-loads,nothing-of-note
// launch: --grid 311296 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:1216 --arg i32:2097152
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float4* in, float* out, int n) {
  __shared__ float part[4];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { const float4 v = in[i]; sum += v.x + v.y + v.z + v.w; }
  for (int k = 32; k > 0; k /= 2) sum += __shfl_down(sum, k);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
