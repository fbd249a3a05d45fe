// SPDX-License-Identifier: MIT
// Rounds of a hash written out by macros so that the loop's body is longer than the instruction cache, or a loop over the rounds.
// fault: instruction-cache
// launch: --grid 77824 --workgroup 256 --arg u32:random(1):77824 --arg u32:zero:77824 --arg i32:3
#include <hip/hip_runtime.h>
#define ROUND(k) a += ((b ^ c) + (k) * 0x9e3779b9u); a = (a << 7) | (a >> 25); b ^= a + ((k) ^ 0x7f4a7c15u); c = c * 0x85ebca6bu + b;
#define R8(k) ROUND((k)) ROUND((k) + 1) ROUND((k) + 2) ROUND((k) + 3) ROUND((k) + 4) ROUND((k) + 5) ROUND((k) + 6) ROUND((k) + 7)
#define R64(k) R8((k)) R8((k) + 8) R8((k) + 16) R8((k) + 24) R8((k) + 32) R8((k) + 40) R8((k) + 48) R8((k) + 56)
#define R512(k) R64((k)) R64((k) + 64) R64((k) + 128) R64((k) + 192) R64((k) + 256) R64((k) + 320) R64((k) + 384) R64((k) + 448)
extern "C" __global__ void slow(const unsigned* in, unsigned* out, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i], b = a ^ 1, c = a + 7;
#pragma unroll 1
  for (int t = 0; t < times; ++t) {
    R512(0u) R512(512u) R512(1024u) R512(1536u) // fault
  }
  out[i] = a ^ b ^ c;
}
extern "C" __global__ void fast(const unsigned* in, unsigned* out, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i], b = a ^ 1, c = a + 7;
#pragma unroll 1
  for (int t = 0; t < times; ++t)
#pragma unroll 8
    for (unsigned k = 0; k < 2048; ++k) {
      ROUND(k)
    }
  out[i] = a ^ b ^ c;
}
