// SPDX-License-Identifier: MIT
// Softmax of rows of 256 by a wave each, four floats a lane; well written.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):4194304 --arg f32:zero:4194304
#include <hip/hip_runtime.h>
template <class F> __device__ float across(float v, F f) {
  for (int d = 32; d; d >>= 1) v = f(v, __shfl_xor(v, d));
  return v;
}
extern "C" __global__ void slow(const float4* in, float4* out) {
  const unsigned at = blockIdx.x * 256 + threadIdx.x;
  float4 v = in[at];
  const float most = across(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)), [](float a, float b) { return fmaxf(a, b); });
  v.x = __expf(v.x - most);
  v.y = __expf(v.y - most);
  v.z = __expf(v.z - most);
  v.w = __expf(v.w - most);
  const float r = __frcp_rn(across(v.x + v.y + v.z + v.w, [](float a, float b) { return a + b; }));
  out[at] = make_float4(v.x * r, v.y * r, v.z * r, v.w * r);
}
