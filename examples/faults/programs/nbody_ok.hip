// SPDX-License-Identifier: MIT
// Forces from 256 bodies at a time in LDS; well written.
// fault: nothing-of-note,compute-used-up
// launch: --grid 77824 --workgroup 256 --arg f32:random(1):311296 --arg f32:zero:311296
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float4* body, float4* force) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 me = body[i];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.x] = body[t * 256 + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; ++k) {
      const float4 o = tile[k];
      const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      const float inv = __frsqrt_rn(dx * dx + dy * dy + dz * dz + 1e-4f);
      const float f = o.w * inv * inv * inv;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  force[i] = make_float4(ax, ay, az, 0);
}
