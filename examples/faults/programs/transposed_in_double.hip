// SPDX-License-Identifier: MIT
// A gamma curve in double precision, written transposed.
// fault: uncoalesced-store,double-precision
// launch: --grid 512,512 --workgroup 64,4 --arg f32:random(1):262144 --arg f32:zero:262144
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* in, float* out) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  const float v = fabsf(in[y * 512 + x]);
  out[x * 512 + y] = v < 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055; // fault
}
extern "C" __global__ void fast(const float* in, float* out) {
  __shared__ float tile[4][65];
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  const float v = fabsf(in[y * 512 + x]);
  out[y * 512 + x] = v < 0.0031308f ? v * 12.92f : 1.055f * powf(v, 1 / 2.4f) - 0.055f;
  (void)tile;
}
