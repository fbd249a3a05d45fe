// SPDX-License-Identifier: MIT
// Three coordinates of a flat index, by division and modulo.
// fault: integer-division
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:100 --arg i32:100
// launch fast: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:7 --arg i32:7
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    const int x = (i + k) % width, y = (i + k) / width % height, z = (i + k) / (width * height);  // fault
    v += x * 0.5f + y * 0.25f + z;
  }
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    const int x = (i + k) & 127, y = (i + k) >> width & 127, z = (i + k) >> (width + height);
    v += x * 0.5f + y * 0.25f + z;
  }
  out[i] = v;
}
