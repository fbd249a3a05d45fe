// SPDX-License-Identifier: MIT
// Grey levels of an image of three bytes a pixel, byte by byte; and four pixels at once.
// fault: narrow-loads
// launch: --grid 2097152 --workgroup 256 --arg u32:random(1):1572864 --arg u32:zero:524288
// launch fast: --grid 524288 --workgroup 256 --arg u32:random(1):1572864 --arg u32:zero:524288
#include <hip/hip_runtime.h>

typedef unsigned char byte;

__device__ unsigned grey(unsigned r, unsigned g, unsigned b) { return (r * 77 + g * 150 + b * 29) >> 8; }

extern "C" __global__ void slow(const byte* rgb, byte* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = grey(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);  // fault
}
extern "C" __global__ void fast(const uint3* rgb, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint3 w = rgb[i];
  out[i] = grey(w.x & 255, w.x >> 8 & 255, w.x >> 16 & 255) |
           grey(w.x >> 24, w.y & 255, w.y >> 8 & 255) << 8 |
           grey(w.y >> 16 & 255, w.y >> 24, w.z & 255) << 16 |
           grey(w.z >> 8 & 255, w.z >> 16 & 255, w.z >> 24) << 24;
}
