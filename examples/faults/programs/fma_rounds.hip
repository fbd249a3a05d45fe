// SPDX-License-Identifier: MIT
// Logistic maps of four starts a lane: arithmetic alone, with four chains.
// fault: nothing-of-note,compute-used-up
// launch: --grid 311296 --workgroup 256 --arg f32:random(1):1245184 --arg f32:zero:1245184
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float4* in, float4* out) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  float4 v = in[i];
#pragma unroll 4
  for (int k = 0; k < 160; ++k) {
    v.x = fmaf(v.x, -v.x, 0.7f);
    v.y = fmaf(v.y, -v.y, 0.7f);
    v.z = fmaf(v.z, -v.z, 0.7f);
    v.w = fmaf(v.w, -v.w, 0.7f);
  }
  out[i] = v;
}
