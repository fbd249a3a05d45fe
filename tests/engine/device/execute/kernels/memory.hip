// SPDX-License-Identifier: MIT
// Memory instructions that the compiler makes of builtins, and others written down: buffers with every kind of address, atomics,
// loads into LDS, scalar memory and formats. Each kernel runs as one wave.
#include <hip/hip_runtime.h>

using Words = unsigned __attribute__((ext_vector_type(4)));
using Pair = unsigned __attribute__((ext_vector_type(2)));

// word1: stride and swizzle; word3: format and index stride.
__device__ Words descriptor(const void* base, unsigned word1, unsigned records, unsigned word3) {
  const auto address = reinterpret_cast<unsigned long>(base);
  Words d = {static_cast<unsigned>(address), static_cast<unsigned>(address >> 32) | word1, records, word3};
  for (int i = 0; i < 4; ++i) d[i] = __builtin_amdgcn_readfirstlane(d[i]);
  return d;
}

#ifdef __gfx942__
#define RETURNS " sc0"
#else
#define RETURNS " glc"
#endif
#define WAIT "\n s_waitcnt vmcnt(0) lgkmcnt(0)"

extern "C" __global__ void buffer_loads(const unsigned* in, unsigned* out, unsigned bytes) {
  const int i = threadIdx.x;
  const auto buffer = __builtin_amdgcn_make_buffer_rsrc(const_cast<unsigned*>(in), 0, bytes, 0x27000);
  unsigned* to = out + 8 * i;
  const Words four = __builtin_amdgcn_raw_buffer_load_b128(buffer, 12 * i, 4, 0);
  for (int k = 0; k < 4; ++k) to[k] = four[k];
  to[4] = __builtin_amdgcn_raw_buffer_load_b32(buffer, 4 * i, 8, 0);
  to[5] = __builtin_amdgcn_raw_buffer_load_b8(buffer, 3 * i, 0, 0);
  to[6] = __builtin_amdgcn_raw_buffer_load_b16(buffer, 6 * i, 0, 0);
  unsigned half = 0xaaaaaaaa;
  const Words d = descriptor(in, 0, bytes, 0x27000);
  asm volatile("buffer_load_short_d16_hi %0, %1, %2, 0 offen offset:2" WAIT : "+v"(half) : "v"(6 * i), "s"(d));
  to[7] = half;
}

extern "C" __global__ void buffer_stores(unsigned* out, unsigned bytes) {
  const int i = threadIdx.x;
  const auto buffer = __builtin_amdgcn_make_buffer_rsrc(out, 0, bytes, 0x27000);
  const Words four = {100u + i, 200u + i, 300u + i, 400u + i};
  __builtin_amdgcn_raw_buffer_store_b128(four, buffer, 20 * i, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b8(static_cast<unsigned char>(i), buffer, 20 * i + 17, 0, 0);
  const Words d = descriptor(out, 0, bytes, 0x27000);
  asm volatile("buffer_store_short_d16_hi %0, %1, %2, 0 offen offset:18" WAIT ::"v"(i << 17), "v"(20 * i), "s"(d));
}

// out[i] = the dword at byte 4 of record i, out[64 + i] = that of record i of a swizzled buffer.
extern "C" __global__ void buffer_records(const unsigned* in, unsigned* out, unsigned records) {
  const int i = threadIdx.x;
  const Words plain = descriptor(in, 12u << 16, records, 0x27000);
  const Words swizzled = descriptor(in, 12u << 16 | 1u << 31, records, 0x27000 | 1u << 21);
  const Words by_lane = descriptor(in, 8u << 16, records, 1u << 23);
  unsigned x = 7, y = 7, z = 7;
  const Pair address = {static_cast<unsigned>(i), 4};
  asm volatile("buffer_load_dword %0, %1, %2, 0 idxen offset:4" WAIT : "=v"(x) : "v"(i), "s"(plain));
  asm volatile("buffer_load_dword %0, %1, %2, 0 idxen offen" WAIT : "=v"(y) : "v"(address), "s"(swizzled));
  asm volatile("buffer_load_dword %0, off, %1, 0 offset:4" WAIT : "=v"(z) : "s"(by_lane));
  out[i] = x;
  out[64 + i] = y;
  out[128 + i] = z;
}

extern "C" __global__ void buffer_atomics(unsigned* data, unsigned* out, unsigned bytes) {
  const int i = threadIdx.x;
  const Words d = descriptor(data, 0, bytes, 0x27000);
  unsigned add = i, single = 0x3f800000u, packed = 0x3c004000u;
  Pair swap = {1000u + i, 500u + i};
  double sum = 0.5 * i, low = i - 20.0;
  const int word = 4 * i;
  asm volatile("buffer_atomic_add %0, %1, %2, 0 offen" RETURNS WAIT : "+v"(add) : "v"(word), "s"(d));
  asm volatile("buffer_atomic_cmpswap %0, %1, %2, 0 offen offset:256" RETURNS WAIT : "+v"(swap) : "v"(word), "s"(d));
  asm volatile("buffer_atomic_add_f32 %0, %1, %2, 0 offen offset:512" WAIT ::"v"(single), "v"(word), "s"(d));
  asm volatile("buffer_atomic_pk_add_f16 %0, %1, %2, 0 offen offset:768" WAIT ::"v"(packed), "v"(word), "s"(d));
  asm volatile("buffer_atomic_add_f64 %0, %1, %2, 0 offen offset:1024" WAIT ::"v"(sum), "v"(8 * i), "s"(d));
  asm volatile("buffer_atomic_min_f64 %0, %1, %2, 0 offen offset:1536" RETURNS WAIT : "+v"(low) : "v"(8 * i), "s"(d));
  out[i] = add;
  out[64 + i] = swap[0];
  reinterpret_cast<double*>(out + 128)[i] = low;
}

extern "C" __global__ void global_atomics(unsigned* data, double* out) {
  const int i = threadIdx.x;
  double before = 2.0 * i;
  unsigned packed = 0x40003c00u;
  const unsigned long at = reinterpret_cast<unsigned long>(data + 2 * i);
  asm volatile("global_atomic_max_f64 %0, %1, %0, off" RETURNS WAIT : "+v"(before) : "v"(at));
  asm volatile("global_atomic_pk_add_f16 %0, %1, off offset:512" WAIT ::"v"(at), "v"(packed));
#ifdef __gfx942__
  asm volatile("global_atomic_pk_add_bf16 %0, %1, off offset:516" WAIT ::"v"(at), "v"(0x40003f80u));
#endif
  out[i] = before;
}

// Lane i asks for element 63 - i. The offsets are added to the addresses in memory and in LDS.
extern "C" __global__ void through_lds(const unsigned* in, unsigned* out, unsigned bytes) {
  __shared__ unsigned local[256];
  const int i = threadIdx.x;
  for (int k = 0; k < 4; ++k) local[64 * k + i] = 0;
  const Words d = descriptor(in, 0, bytes, 0x27000);
  const unsigned base = static_cast<unsigned>(reinterpret_cast<unsigned long>(local));
  asm volatile("s_mov_b32 m0, %2\n buffer_load_dword %0, %1, 0 offen lds\n buffer_load_ubyte %0, %1, 0 offen offset:256 lds" WAIT
               :: "v"(4 * (63 - i)), "s"(d), "s"(__builtin_amdgcn_readfirstlane(base)) : "memory", "m0");
#ifdef __gfx942__
  const unsigned long at = reinterpret_cast<unsigned long>(in + 63 - i - 128);
  asm volatile("s_mov_b32 m0, %1\n global_load_lds_dword %0, off offset:512" WAIT ::"v"(at), "s"(__builtin_amdgcn_readfirstlane(base))
               : "memory", "m0");
#endif
  for (int k = 0; k < 4; ++k) out[64 * k + i] = local[64 * k + i];
}

extern "C" __global__ void scalar_memory(unsigned* data, unsigned* out, unsigned bytes) {
  const Words d = descriptor(data, 0, bytes, 0x27000);
  Words four;
  unsigned one, before = 5;
  asm volatile("s_buffer_load_dwordx4 %0, %2, 0x10\n s_buffer_load_dword %1, %2, 0x4\n s_waitcnt lgkmcnt(0)" : "=&s"(four), "=&s"(one) : "s"(d));
  asm volatile("s_buffer_atomic_add %0, %1, 0x8 glc\n s_waitcnt lgkmcnt(0)" : "+s"(before) : "s"(d));
  asm volatile("s_store_dword %0, %1, 0xc\n s_waitcnt lgkmcnt(0)" ::"s"(before + 1), "s"(data) : "memory");
  if (threadIdx.x != 0) return;
  for (int k = 0; k < 4; ++k) out[k] = four[k];
  out[4] = one;
  out[5] = before;
}

// The second of two waves reads what the first one loads into LDS, with or without a barrier between.
template <bool kBarrier>
__device__ void load_for_another_wave(const unsigned* in, unsigned* out) {
  __shared__ unsigned local[64];
  const int i = threadIdx.x % 64;
  const Words d = descriptor(in, 0, 256, 0x27000);
  const unsigned base = static_cast<unsigned>(reinterpret_cast<unsigned long>(local));
  if (__builtin_amdgcn_readfirstlane(threadIdx.x / 64) == 0)
    asm volatile("s_mov_b32 m0, %2\n buffer_load_dword %0, %1, 0 offen lds" WAIT ::"v"(4 * i), "s"(d),
                 "s"(__builtin_amdgcn_readfirstlane(base))
                 : "memory", "m0");
  if (kBarrier) __syncthreads();
  if (threadIdx.x >= 64) out[i] = static_cast<volatile unsigned*>(local)[i];
}
extern "C" __global__ void load_and_wait(const unsigned* in, unsigned* out) { load_for_another_wave<true>(in, out); }
extern "C" __global__ void load_and_race(const unsigned* in, unsigned* out) { load_for_another_wave<false>(in, out); }

extern "C" __global__ void wide_swizzle(const unsigned* in, Words* out) {
  const Words swizzled = descriptor(in, 16u << 16 | 1u << 31, 64, 0x27000);
  Words x;
  asm volatile("buffer_load_dwordx4 %0, %1, %2, 0 idxen" WAIT : "=v"(x) : "v"(static_cast<int>(threadIdx.x)), "s"(swizzled));
  out[threadIdx.x] = x;
}

#define FORMAT(DATA, NUMBER) " format:[BUF_DATA_FORMAT_" DATA ",BUF_NUM_FORMAT_" NUMBER "]"
// Lane i: 4 results of each of these formats from the 16 bytes at 16 * i, then what is stored back in some.
extern "C" __global__ void formats(const unsigned* in, Words* out, unsigned* stored) {
  const int i = threadIdx.x;
  // DST_SEL x y z w; the format of the descriptor is 8_8_8_8 unorm.
  const Words d = descriptor(in, 0, 1024, 0xfac | 10u << 15);
  const Words to = descriptor(stored, 0, 1024, 0xfac | 10u << 15);
  Words x;
#define LOAD(INDEX, TEXT)                                                                     \
  asm volatile(TEXT " offen" WAIT : "=v"(x) : "v"(16 * i), "s"(d));                             \
  out[64 * INDEX + i] = x;
  LOAD(0, "buffer_load_format_xyzw %0, %1, %2, 0")
  LOAD(1, "tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("16_16", "SNORM"))
  LOAD(2, "tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("32_32_32", "UINT"))
  LOAD(3, "tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("2_10_10_10", "SINT"))
  LOAD(4, "tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("16_16_16_16", "FLOAT"))
  LOAD(5, "tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("8_8", "USCALED"))
  LOAD(6, "tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("10_11_11", "FLOAT"))
  asm volatile("buffer_load_format_xyzw %0, %1, %2, 0 offen" WAIT : "=v"(x) : "v"(16 * i), "s"(d));
  asm volatile("buffer_store_format_xyzw %0, %1, %2, 0 offen" WAIT ::"v"(x), "v"(16 * i), "s"(to));
  asm volatile("tbuffer_load_format_xyzw %0, %1, %2, 0" FORMAT("10_11_11", "FLOAT") " offen" WAIT : "=v"(x) : "v"(16 * i), "s"(d));
  asm volatile("tbuffer_store_format_xyz %0, %1, %2, 0" FORMAT("10_11_11", "FLOAT") " offen offset:4" WAIT ::"v"(x.xyz), "v"(16 * i), "s"(to));
  Pair halves;
  asm volatile("tbuffer_load_format_d16_xyzw %0, %1, %2, 0" FORMAT("16_16_16_16", "FLOAT") " offen" WAIT : "=v"(halves) : "v"(16 * i), "s"(d));
  asm volatile("tbuffer_store_format_d16_xyzw %0, %1, %2, 0" FORMAT("16_16_16_16", "FLOAT") " offen offset:8" WAIT ::"v"(halves), "v"(16 * i), "s"(to));
}

// Instructions of LDS on dwords 0 to 63 (lane i has i * 3), 64 on for others; results beside each other in out.
extern "C" __global__ void local_operations(unsigned* out) {
  __shared__ unsigned local[512];
  const unsigned i = threadIdx.x;
  for (int k = 0; k < 8; ++k) local[64 * k + i] = i * 3 + k * 0x10000;
  const unsigned base = static_cast<unsigned>(reinterpret_cast<unsigned long>(local)), at = base + 4 * i;
  unsigned r[12] = {};
  Pair both, wide = {0x80000005u, 6u};
#define DS(TEXT, ...) asm volatile(TEXT "\n s_waitcnt lgkmcnt(0)" __VA_ARGS__ : "memory", "m0")
  r[0] = 0xaaaaaaaau;
  DS("ds_read_u16_d16_hi %0, %1", : "+v"(r[0]) : "v"(at));
  DS("ds_rsub_rtn_u32 %0, %1, %2", : "=v"(r[1]) : "v"(at), "v"(1000u));
  DS("ds_mskor_b32 %0, %1, %2 offset:256", ::"v"(at), "v"(0xffu), "v"(0x11u));
  DS("ds_wrap_rtn_b32 %0, %1, %2, %3 offset:512", : "=v"(r[2]) : "v"(at), "v"(0x20000u + 30), "v"(7u));
  DS("ds_wrxchg2_rtn_b32 %0, %1, %2, %3 offset0:192 offset1:193", : "=&v"(both) : "v"(base + 8 * (i / 2)), "v"(i), "v"(i + 100));
  r[3] = both[0];
  r[4] = both[1];
  DS("ds_cmpst_f32 %0, %1, %2 offset:1024", ::"v"(at), "v"(0x40000u), "v"(77u));
  DS("ds_condxchg32_rtn_b64 %0, %1, %2 offset:1280", : "=&v"(both) : "v"(base + 8 * (i % 32)), "v"(wide));
  r[5] = both[1];
  DS("s_mov_b32 m0, %1\n ds_append %0 offset:1536", : "=v"(r[6]) : "s"(__builtin_amdgcn_readfirstlane(base)));
  DS("s_mov_b32 m0, %1\n ds_consume %0 offset:1536", : "=v"(r[7]) : "s"(__builtin_amdgcn_readfirstlane(base)));
  DS("s_mov_b32 m0, %1\n ds_read_addtid_b32 %0 offset:1792", : "=v"(r[8]) : "s"(__builtin_amdgcn_readfirstlane(base)));
  DS("ds_swizzle_b32 %0, %1 offset:0xc060", : "=v"(r[9]) : "v"(i));
  DS("ds_write_b8_d16_hi %0, %1 offset:1793", ::"v"(at), "v"(0x00cc0000u));
  for (int k = 0; k < 12; ++k) out[64 * k + i] = r[k];
  __syncthreads();
  for (int k = 0; k < 8; ++k) out[64 * (12 + k) + i] = local[64 * k + i];
}

// The first address out of range of the memory, though not of the buffer.
extern "C" __global__ void beyond_memory(unsigned* out) {
  const auto buffer = __builtin_amdgcn_make_buffer_rsrc(out, 0, 1u << 20, 0x27000);
  __builtin_amdgcn_raw_buffer_store_b32(1u, buffer, 4 * threadIdx.x, 0, 0);
}

extern "C" __global__ void wave_sync(unsigned* out) {
  asm volatile("ds_gws_sema_v gds" WAIT);
  out[0] = 1;
}
