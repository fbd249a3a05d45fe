// SPDX-License-Identifier: MIT
// One kernel for each matrix instruction and for modifiers of some: lane i of one wave multiplies a[i] and b[i], which are the
// registers of that lane, and adds c[i]. Kernels are named after the instruction as gfx942 spells it.
#include <hip/hip_runtime.h>

template <class T, int n>
using Vector = T __attribute__((ext_vector_type(n)));
using F1 = float;
using F2 = Vector<float, 2>;
using F4 = Vector<float, 4>;
using F16 = Vector<float, 16>;
using F32 = Vector<float, 32>;
using I4 = Vector<int, 4>;
using I16 = Vector<int, 16>;
using I32 = Vector<int, 32>;
using D1 = double;
using D4 = Vector<double, 4>;
using H4 = Vector<_Float16, 4>;
using H8 = Vector<_Float16, 8>;
using S2 = Vector<short, 2>;
using S4 = Vector<short, 4>;
using S8 = Vector<short, 8>;
using B4 = int;
using B8 = long;
using B16 = Vector<int, 4>;

#define MODIFIED(NAME, A, B, C, BUILTIN, CBSZ, ABID, BLGP)                                    \
  extern "C" __global__ void NAME(const A* a, const B* b, const C* c, C* d) {                 \
    const int i = threadIdx.x;                                                                \
    d[i] = __builtin_amdgcn_mfma_##BUILTIN(a[i], b[i], c[i], CBSZ, ABID, BLGP);               \
  }
#define DENSE(NAME, A, C, BUILTIN) MODIFIED(NAME, A, A, C, BUILTIN, 0, 0, 0)
#define SPARSE(NAME, A, B, C, CBSZ, ABID)                                                     \
  extern "C" __global__ void smfmac_##NAME##_##CBSZ##ABID(const A* a, const B* b, const C* c, \
                                                          C* d, const int* index) {           \
    const int i = threadIdx.x;                                                                \
    d[i] = __builtin_amdgcn_smfmac_##NAME(a[i], b[i], c[i], index[i], CBSZ, ABID);            \
  }

DENSE(f32_32x32x1_2b_f32, F1, F32, f32_32x32x1f32)
DENSE(f32_16x16x1_4b_f32, F1, F16, f32_16x16x1f32)
DENSE(f32_4x4x1_16b_f32, F1, F4, f32_4x4x1f32)
DENSE(f32_32x32x2_f32, F1, F16, f32_32x32x2f32)
DENSE(f32_16x16x4_f32, F1, F4, f32_16x16x4f32)
DENSE(f32_32x32x4_2b_f16, H4, F32, f32_32x32x4f16)
DENSE(f32_16x16x4_4b_f16, H4, F16, f32_16x16x4f16)
DENSE(f32_4x4x4_16b_f16, H4, F4, f32_4x4x4f16)
DENSE(f32_32x32x8_f16, H4, F16, f32_32x32x8f16)
DENSE(f32_16x16x16_f16, H4, F4, f32_16x16x16f16)
DENSE(f32_32x32x4_2b_bf16, S4, F32, f32_32x32x4bf16_1k)
DENSE(f32_16x16x4_4b_bf16, S4, F16, f32_16x16x4bf16_1k)
DENSE(f32_4x4x4_16b_bf16, S4, F4, f32_4x4x4bf16_1k)
DENSE(f32_32x32x8_bf16, S4, F16, f32_32x32x8bf16_1k)
DENSE(f32_16x16x16_bf16, S4, F4, f32_16x16x16bf16_1k)
DENSE(i32_32x32x4_2b_i8, B4, I32, i32_32x32x4i8)
DENSE(i32_16x16x4_4b_i8, B4, I16, i32_16x16x4i8)
DENSE(i32_4x4x4_16b_i8, B4, I4, i32_4x4x4i8)
DENSE(f64_16x16x4_f64, D1, D4, f64_16x16x4f64)
DENSE(f64_4x4x4_4b_f64, D1, D1, f64_4x4x4f64)

#ifdef __gfx90a__
DENSE(f32_32x32x2_2b_bf16, S2, F32, f32_32x32x2bf16)
DENSE(f32_16x16x2_4b_bf16, S2, F16, f32_16x16x2bf16)
DENSE(f32_4x4x2_16b_bf16, S2, F4, f32_4x4x2bf16)
DENSE(f32_32x32x4_bf16, S2, F16, f32_32x32x4bf16)
DENSE(f32_16x16x8_bf16, S2, F4, f32_16x16x8bf16)
DENSE(i32_32x32x8_i8, B4, I16, i32_32x32x8i8)
DENSE(i32_16x16x16_i8, B4, I4, i32_16x16x16i8)
#else
DENSE(i32_32x32x16_i8, B8, I16, i32_32x32x16_i8)
DENSE(i32_16x16x32_i8, B8, I4, i32_16x16x32_i8)
DENSE(f32_16x16x8_xf32, F2, F4, f32_16x16x8_xf32)
DENSE(f32_32x32x4_xf32, F2, F16, f32_32x32x4_xf32)
DENSE(f32_16x16x32_bf8_bf8, B8, F4, f32_16x16x32_bf8_bf8)
DENSE(f32_16x16x32_bf8_fp8, B8, F4, f32_16x16x32_bf8_fp8)
DENSE(f32_16x16x32_fp8_bf8, B8, F4, f32_16x16x32_fp8_bf8)
DENSE(f32_16x16x32_fp8_fp8, B8, F4, f32_16x16x32_fp8_fp8)
DENSE(f32_32x32x16_bf8_bf8, B8, F16, f32_32x32x16_bf8_bf8)
DENSE(f32_32x32x16_bf8_fp8, B8, F16, f32_32x32x16_bf8_fp8)
DENSE(f32_32x32x16_fp8_bf8, B8, F16, f32_32x32x16_fp8_bf8)
DENSE(f32_32x32x16_fp8_fp8, B8, F16, f32_32x32x16_fp8_fp8)
using P2 = Vector<int, 2>;
SPARSE(f32_16x16x32_f16, H4, H8, F4, 0, 0)
SPARSE(f32_16x16x32_f16, H4, H8, F4, 0, 3)
SPARSE(f32_16x16x32_f16, H4, H8, F4, 1, 2)
SPARSE(f32_32x32x16_f16, H4, H8, F16, 0, 1)
SPARSE(f32_16x16x32_bf16, S4, S8, F4, 0, 2)
SPARSE(f32_32x32x16_bf16, S4, S8, F16, 0, 0)
SPARSE(i32_16x16x64_i8, P2, B16, I4, 0, 0)
SPARSE(i32_16x16x64_i8, P2, B16, I4, 0, 1)
SPARSE(i32_32x32x32_i8, P2, B16, I16, 0, 1)
SPARSE(f32_16x16x64_bf8_bf8, P2, B16, F4, 0, 0)
SPARSE(f32_16x16x64_bf8_fp8, P2, B16, F4, 0, 1)
SPARSE(f32_16x16x64_fp8_bf8, P2, B16, F4, 0, 0)
SPARSE(f32_16x16x64_fp8_fp8, P2, B16, F4, 1, 1)
SPARSE(f32_32x32x32_bf8_bf8, P2, B16, F16, 0, 0)
SPARSE(f32_32x32x32_bf8_fp8, P2, B16, F16, 0, 1)
SPARSE(f32_32x32x32_fp8_bf8, P2, B16, F16, 0, 0)
SPARSE(f32_32x32x32_fp8_fp8, P2, B16, F16, 0, 1)
#endif

// Named by CBSZ, ABID and BLGP.
MODIFIED(f32_32x32x1_2b_f32_110, F1, F1, F32, f32_32x32x1f32, 1, 1, 0)
MODIFIED(f32_32x32x1_2b_f32_001, F1, F1, F32, f32_32x32x1f32, 0, 0, 1)
MODIFIED(f32_16x16x1_4b_f32_112, F1, F1, F16, f32_16x16x1f32, 1, 1, 2)
MODIFIED(f32_16x16x1_4b_f32_233, F1, F1, F16, f32_16x16x1f32, 2, 3, 3)
MODIFIED(f32_4x4x1_16b_f32_214, F1, F1, F4, f32_4x4x1f32, 2, 1, 4)
MODIFIED(f32_4x4x1_16b_f32_475, F1, F1, F4, f32_4x4x1f32, 4, 7, 5)
MODIFIED(f32_32x32x8_f16_006, H4, H4, F16, f32_32x32x8f16, 0, 0, 6)
MODIFIED(i32_16x16x4_4b_i8_207, B4, B4, I16, i32_16x16x4i8, 2, 0, 7)
MODIFIED(f64_16x16x4_f64_001, D1, D1, D4, f64_16x16x4f64, 0, 0, 1)
MODIFIED(f64_16x16x4_f64_006, D1, D1, D4, f64_16x16x4f64, 0, 0, 6)
MODIFIED(f64_4x4x4_4b_f64_007, D1, D1, D1, f64_4x4x4f64, 0, 0, 7)

// The C of the instruction is the inline constant; the kernel adds nothing else.
extern "C" __global__ void constant_float(const H4* a, const H4* b, const F4*, F4* d) {
  const int i = threadIdx.x;
  d[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], b[i], F4(-4.0f), 0, 0, 0);
}
extern "C" __global__ void constant_integer(const B4* a, const B4* b, const I16*, I16* d) {
  const int i = threadIdx.x;
  d[i] = __builtin_amdgcn_mfma_i32_16x16x4i8(a[i], b[i], I16(-16), 0, 0, 0);
}

#ifdef __gfx90a__
#define MFMA "v_mfma_f32_16x16x16f16"
#define MFMA_F64 "v_mfma_f64_16x16x4f64"
#else
#define MFMA "v_mfma_f32_16x16x16_f16"
#define MFMA_F64 "v_mfma_f64_16x16x4_f64"
#endif
#define WAIT "s_nop 7\n s_nop 7\n"

extern "C" __global__ void constant_double(const D1* a, const D1* b, const D4*, D4* d) {
  const int i = threadIdx.x;
  D4 sum;
  asm volatile("s_nop 4\n" MFMA_F64 " %0, %1, %2, 0.5\n" WAIT WAIT : "=&v"(sum) : "v"(a[i]), "v"(b[i]));
  d[i] = sum;
}

// Each of A, B and C in accumulation registers; C and D apart; few lanes active.
extern "C" __global__ void accumulation_a(const H4* a, const H4* b, const F4* c, F4* d) {
  const int i = threadIdx.x;
  F4 sum;
  asm volatile("s_nop 4\n" MFMA " %0, %1, %2, %3\n" WAIT : "=&v"(sum) : "a"(a[i]), "v"(b[i]), "v"(c[i]));
  d[i] = sum;
}
extern "C" __global__ void accumulation_all(const H4* a, const H4* b, const F4* c, F4* d) {
  const int i = threadIdx.x;
  F4 sum = c[i];
  asm volatile("s_nop 4\n" MFMA " %0, %1, %2, %0\n" WAIT : "+a"(sum) : "v"(a[i]), "a"(b[i]));
  d[i] = sum;
}
extern "C" __global__ void few_lanes(const H4* a, const H4* b, const F4* c, F4* d) {
  const int i = threadIdx.x;
  F4 sum = c[i];
  asm volatile("s_nop 4\n s_mov_b64 s[20:21], exec\n s_mov_b64 exec, 6\n" MFMA
               " %0, %1, %2, %0\n" WAIT "s_mov_b64 exec, s[20:21]\n"
               : "+v"(sum)
               : "v"(a[i]), "v"(b[i])
               : "s20", "s21");
  d[i] = sum;
}

// Moves between the files heed exec: lanes 1 and 2 alone take the second value, and move it on.
extern "C" __global__ void accumulation_moves(const H4*, const H4*, const F4* c, F4* d) {
  const int i = threadIdx.x;
  F4 from = c[i];
  float first, second;
  asm volatile(
      "v_accvgpr_write_b32 a0, %2\n v_accvgpr_write_b32 a1, %4\n s_mov_b64 s[20:21], exec\n s_mov_b64 exec, 6\n"
      "v_accvgpr_write_b32 a0, %3\n v_accvgpr_mov_b32 a1, a0\n s_mov_b64 exec, s[20:21]\n s_nop 4\n"
      "v_accvgpr_read_b32 %0, a0\n v_accvgpr_read_b32 %1, a1\n"
      : "=&v"(first), "=&v"(second)
      : "v"(from.x), "v"(from.y), "v"(from.z)
      : "a0", "a1", "s20", "s21");
  from.x = first;
  from.y = second;
  d[i] = from;
}
