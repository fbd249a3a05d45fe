/* SPDX-License-Identifier: MIT */
/* Bits and integers: counting, fields, products, sums of differences. */
#pragma once

#include <hip/hip_common.h>

#define RPL_HIP_BITS __device__ __forceinline__

RPL_HIP_BITS unsigned __popc(unsigned x) { return __builtin_popcount(x); }
RPL_HIP_BITS unsigned __popcll(unsigned long long x) { return __builtin_popcountll(x); }
/// 32 (64) for 0.
RPL_HIP_BITS int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
RPL_HIP_BITS int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
/// The lowest bit, counted from 1; 0 for 0.
RPL_HIP_BITS unsigned __ffs(unsigned x) { return static_cast<unsigned>(__builtin_ffs(static_cast<int>(x))); }
RPL_HIP_BITS unsigned __ffs(int x) { return static_cast<unsigned>(__builtin_ffs(x)); }
RPL_HIP_BITS unsigned __ffsll(unsigned long long x) { return static_cast<unsigned>(__builtin_ffsll(static_cast<long long>(x))); }
RPL_HIP_BITS unsigned __ffsll(long long x) { return static_cast<unsigned>(__builtin_ffsll(x)); }
RPL_HIP_BITS unsigned __ffsll(unsigned long x) { return __ffsll(static_cast<unsigned long long>(x)); }
RPL_HIP_BITS unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
RPL_HIP_BITS unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
/// The lowest bit, counted from 0; -1 for 0.
RPL_HIP_BITS unsigned __lastbit_u32_u32(unsigned x) { return x == 0 ? ~0u : static_cast<unsigned>(__builtin_ctz(x)); }
RPL_HIP_BITS unsigned __lastbit_u32_u64(unsigned long long x) { return x == 0 ? ~0u : static_cast<unsigned>(__builtin_ctzll(x)); }

// A field of `count` bits from bit `offset` on; both are taken modulo the word, and a field of no bits is empty.
RPL_HIP_BITS unsigned __bitextract_u32(unsigned from, unsigned offset, unsigned count) {
  return (from >> (offset & 31)) & ((1u << (count & 31)) - 1);
}
RPL_HIP_BITS unsigned long long __bitextract_u64(unsigned long long from, unsigned offset, unsigned count) {
  return (from >> (offset & 63)) & ((1ull << (count & 63)) - 1);
}
RPL_HIP_BITS unsigned __bitinsert_u32(unsigned into, unsigned from, unsigned offset, unsigned count) {
  offset &= 31;
  const unsigned mask = (1u << (count & 31)) - 1;
  return (into & ~(mask << offset)) | ((from & mask) << offset);
}
RPL_HIP_BITS unsigned long long __bitinsert_u64(unsigned long long into, unsigned long long from, unsigned offset, unsigned count) {
  offset &= 63;
  const unsigned long long mask = (1ull << (count & 63)) - 1;
  return (into & ~(mask << offset)) | ((from & mask) << offset);
}

/// Four bytes of the eight of y:x, chosen by the low three bits of each nibble.
RPL_HIP_BITS unsigned __byte_perm(unsigned x, unsigned y, unsigned choice) {
  const unsigned long long both = (static_cast<unsigned long long>(y) << 32) | x;
  unsigned out = 0;
  for (unsigned i = 0; i < 4; ++i) out |= static_cast<unsigned>((both >> (((choice >> (4 * i)) & 7) * 8)) & 0xff) << (8 * i);
  return out;
}
/// The upper (lower) half of high:low shifted left (right); the count modulo 32, or limited to 32 in those with _c.
RPL_HIP_BITS unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (by & 31)) >> 32);
}
RPL_HIP_BITS unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) { return by >= 32 ? low : __funnelshift_l(low, high, by); }
RPL_HIP_BITS unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (by & 31));
}
RPL_HIP_BITS unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) { return by >= 32 ? high : __funnelshift_r(low, high, by); }

// Products: of the low 24 bits, and the upper halves.
RPL_HIP_BITS int __mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
RPL_HIP_BITS unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
RPL_HIP_BITS int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
RPL_HIP_BITS unsigned __umulhi(unsigned x, unsigned y) { return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32); }
RPL_HIP_BITS long long __mul64hi(long long x, long long y) { return static_cast<long long>((static_cast<__int128>(x) * y) >> 64); }
RPL_HIP_BITS unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}

// Means (rounded down, or up in those with r), without overflow; |x - y| + z.
RPL_HIP_BITS int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
RPL_HIP_BITS int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
RPL_HIP_BITS unsigned __uhadd(unsigned x, unsigned y) { return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1); }
RPL_HIP_BITS unsigned __urhadd(unsigned x, unsigned y) { return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1); }
RPL_HIP_BITS unsigned __sad(int x, int y, unsigned z) {
  return (x > y ? static_cast<unsigned>(x) - static_cast<unsigned>(y) : static_cast<unsigned>(y) - static_cast<unsigned>(x)) + z;
}
RPL_HIP_BITS unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }

#undef RPL_HIP_BITS
