// SPDX-License-Identifier: MIT
// A dot product of 8 million pairs as it should be: 16 bytes a lane, four loads ahead, one atomic a workgroup.
// fault: nothing-of-note,bandwidth-used-up,dependent-loads
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):8388608 --arg f32:random(2):8388608 --arg f32:zero:1
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float4* x, const float4* y, float* out) {
  __shared__ float of_wave[4];
  const unsigned i = blockIdx.x * 1024 + threadIdx.x;
  float4 a[4], b[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) a[k] = x[i + k * 256], b[k] = y[i + k * 256];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += a[k].x * b[k].x + a[k].y * b[k].y + a[k].z * b[k].z + a[k].w * b[k].w;
  for (int d = 32; d > 0; d /= 2) sum += __shfl_xor(sum, d);
  if (threadIdx.x % 64 == 0) of_wave[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, of_wave[0] + of_wave[1] + of_wave[2] + of_wave[3]);
}
