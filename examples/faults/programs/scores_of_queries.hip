// SPDX-License-Identifier: MIT
// Scores of queries against keys, with an array in LDS that is far larger than what is used of it.
// fault: lds-limited-occupancy
// launch: --grid 524288 --workgroup 128 --arg f32:random(1):65536 --arg f32:random(2):8388608 --arg f32:zero:524288
#include <hip/hip_runtime.h>

template <int kRoom>
__device__ void scores(const float4* query, const float4* key, float* out) {
  __shared__ float4 q[kRoom];
  const unsigned lane = threadIdx.x, i = blockIdx.x * 128 + lane;
  if (lane < 4) q[lane] = query[(blockIdx.x & 4095u) * 4 + lane];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    const float4 a = q[k], b = key[k * 524288u + i];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  out[i] = sum;
}
extern "C" __global__ void slow(const float4* query, const float4* key, float* out) { scores<3600>(query, key, out); }
extern "C" __global__ void fast(const float4* query, const float4* key, float* out) { scores<4>(query, key, out); }
