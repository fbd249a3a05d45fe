// SPDX-License-Identifier: MIT
// A tensor of bytes NHWC to a padded NHWC: four indices from a flat one by division, or from the launch.
// fault: integer-division
// launch: --grid 1572864 --workgroup 256 --arg u8:random(2):1572864 --arg u8:zero:2097152 --arg u32:48 --arg u32:96 --arg u32:64 --arg u32:104
// launch fast: --grid 64,96,256 --workgroup 64,4 --arg u8:random(2):1572864 --arg u8:zero:2097152 --arg u32:48 --arg u32:96 --arg u32:64 --arg u32:104
#include <hip/hip_runtime.h>
typedef unsigned int uint;
struct Idx { uint c, w, h, n; };
__device__ Idx unflatten(uint i, uint c, uint w, uint h) {
  Idx r;
  r.c = i % c; // fault
  i /= c; // fault
  r.w = i % w; // fault
  i /= w; // fault
  r.h = i % h; // fault
  r.n = i / h; // fault
  return r;
}
extern "C" __global__ void slow(const unsigned char* in, unsigned char* out, uint c, uint w, uint h, uint pitch) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  Idx x = unflatten(i, c, w, h);
  out[((x.n * h + x.h) * pitch + x.w) * c + x.c] = in[i] ^ 0x80;
}
extern "C" __global__ void fast(const unsigned char* in, unsigned char* out, uint c, uint w, uint h, uint pitch) {
  uint k = threadIdx.x, x = blockIdx.y * 4 + threadIdx.y, row = blockIdx.z;
  if (k < c) out[(row * pitch + x) * c + k] = in[(row * w + x) * c + k] ^ 0x80;
}
