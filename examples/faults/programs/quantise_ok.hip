// SPDX-License-Identifier: MIT
// Quantises 16 floats a lane to bytes with one scale a row of 64 lanes; well written.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):8388608 --arg u32:zero:2097152
#include <hip/hip_runtime.h>
__device__ unsigned pack(float4 v, float s) {
  auto q = [s](float x) { return (unsigned)(int)(x * s) & 255u; };
  return q(v.x) | q(v.y) << 8 | q(v.z) << 16 | q(v.w) << 24;
}
extern "C" __global__ void slow(const float4* in, unsigned* out) {
  const unsigned at = blockIdx.x * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = in[at + 256 * k];
  float most = 1e-6f;
#pragma unroll
  for (int k = 0; k < 4; ++k) most = fmaxf(most, fmaxf(fmaxf(fabsf(v[k].x), fabsf(v[k].y)), fmaxf(fabsf(v[k].z), fabsf(v[k].w))));
  const float s = 127.0f * __frcp_rn(most);
#pragma unroll
  for (int k = 0; k < 4; ++k) out[at + 256 * k] = pack(v[k], s);
}
