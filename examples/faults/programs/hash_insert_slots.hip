// SPDX-License-Identifier: MIT
// Keys are put into a hash table of 64-bit words, whose slot is the hash modulo the table's size; the size is a power of two, and the fast one masks.
// fault: integer-division
// launch: --grid 131072 --workgroup 256 --arg u32:random(4):1048576 --arg u32:zero:4096 --arg u64:4096
#include <hip/hip_runtime.h>

using u32 = unsigned int;
using u64 = unsigned long long;

__device__ inline u64 mix(u64 k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdull;
  k ^= k >> 29;
  return k;
}

template <class Slot>
__device__ u32 fingerprint(const u32* keys, u64 size, Slot slot) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  u32 best = 0xffffffffu;
  for (u32 k = 0; k < 8; ++k) {
    const u32 s = (u32)slot(mix(keys[i + k * n]), size);
    best = min(best, s);
  }
  return best;
}

extern "C" __global__ void slow(const u32* keys, u32* table, u64 size) {
  const u32 least = fingerprint(keys, size, [](u64 h, u64 m) { return h % m; });  // fault
  if (least < 8) table[least * 64 + threadIdx.x % 64] = least;
}
extern "C" __global__ void fast(const u32* keys, u32* table, u64 size) {
  const u32 least = fingerprint(keys, size, [](u64 h, u64 m) { return h & (m - 1); });
  if (least < 8) table[least * 64 + threadIdx.x % 64] = least;
}
