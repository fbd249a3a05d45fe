// SPDX-License-Identifier: MIT
// Layer normalisation of rows of 1024: a wave a row, 16 bytes a lane, values kept in registers.
// fault: nothing-of-note,bandwidth-used-up,dependent-loads
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):8388608 --arg f32:random(2):1024 --arg f32:random(3):1024 --arg f32:zero:8388608
#include <hip/hip_runtime.h>

__device__ float of_wave(float v) {
  for (int d = 32; d > 0; d >>= 1) v += __shfl_xor(v, d);
  return v;
}

extern "C" __global__ void slow(const float4* in, const float4* scale, const float4* shift, float4* out) {
  const int row = blockIdx.x * 4 + threadIdx.x / 64, lane = threadIdx.x % 64;
  float4 v[4];
  float sum = 0, squares = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = in[row * 256 + k * 64 + lane];
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
    squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
  }
  const float mean = of_wave(sum) / 1024, by = rsqrtf(of_wave(squares) / 1024 - mean * mean + 1e-5f);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float4 s = scale[k * 64 + lane], b = shift[k * 64 + lane];
    out[row * 256 + k * 64 + lane] = {(v[k].x - mean) * by * s.x + b.x, (v[k].y - mean) * by * s.y + b.y,
                                      (v[k].z - mean) * by * s.z + b.z, (v[k].w - mean) * by * s.w + b.w};
  }
}
