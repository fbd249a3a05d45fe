// SPDX-License-Identifier: MIT
// a x + b y of four floats a lane.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 1245184 --workgroup 256 --arg f32:random(1):4980736 --arg f32:random(2):4980736 --arg f32:0.5 --arg f32:2
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float4* __restrict__ x, float4* __restrict__ y, float a, float b) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const float4 u = x[i], v = y[i];
  y[i] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z, a * u.w + b * v.w);
}
