// SPDX-License-Identifier: MIT
// Rabin-Karp: a hash modulo a run-time prime for each place, or modulo 2^32.
// fault: integer-division
// launch: --grid 262144 --workgroup 256 --arg u8:random(1):262176 --arg u32:zero:262144 --arg u32:1000003
#include <hip/hip_runtime.h>
struct Modulus { unsigned q; __device__ unsigned operator()(unsigned v) const { return v % q; } }; // fault
struct Wrap { __device__ unsigned operator()(unsigned v) const { return v; } };
template <class M> __device__ unsigned hash(const unsigned char* s, M m) {
  unsigned h = 0;
#pragma unroll 4
  for (int k = 0; k < 16; ++k) h = m(h * 257 + s[k]);
  return h;
}
extern "C" __global__ void slow(const unsigned char* s, unsigned* out, unsigned q) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = hash(s + i, Modulus{q}); }
extern "C" __global__ void fast(const unsigned char* s, unsigned* out, unsigned q) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = hash(s + i, Wrap{}); }
