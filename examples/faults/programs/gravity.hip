// SPDX-License-Identifier: MIT
// Forces among 2048 of 65536 bodies, tile by tile in LDS: the power of the distance by powf, and by rsqrtf.
// fault: transcendentals
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>

template <bool kByPower>
__device__ float inverse_cube(float d2) {
  if (kByPower) return 1.0f / powf(d2, 1.5f);  // fault
  const float r = rsqrtf(d2);
  return r * r * r;
}
template <bool kByPower>
__device__ void forces(const float4* body, float4* force) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 me = body[i];
  float3 sum = {0, 0, 0};
  for (int from = 0; from < 1024; from += 256) {
    tile[threadIdx.x] = body[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float w = other.w * inverse_cube<kByPower>(dx * dx + dy * dy + dz * dz + 1e-3f);
      sum.x += w * dx, sum.y += w * dy, sum.z += w * dz;
    }
    __syncthreads();
  }
  force[i] = {sum.x, sum.y, sum.z, 0};
}
extern "C" __global__ void slow(const float4* body, float4* force) { forces<true>(body, force); }
extern "C" __global__ void fast(const float4* body, float4* force) { forces<false>(body, force); }
