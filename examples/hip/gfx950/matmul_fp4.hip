// SPDX-License-Identifier: MIT
// c = a * b' of 4-bit floats (E2M1, two in a byte, the first one in the low half) with one scale (E8M0) for each 32 neighbours in k. The kernel beside it,
// quantize_fp4, makes such rows of floats: the scale is the power of two below the largest magnitude, divided by four, so that it fits below 6. m and n are multiples
// of 16, k of 128, of which one instruction takes all.
#include <hip/hip_runtime.h>

constexpr int kTile = 16;
constexpr int kStep = 128;
constexpr int kBlock = 32;

using Words = int __attribute__((ext_vector_type(8)));
using Quad = int __attribute__((ext_vector_type(4)));
using Sums = float __attribute__((ext_vector_type(4)));

// A work-item for each block of 32 numbers.
extern "C" __global__ __launch_bounds__(64) void quantize_fp4(const float* numbers, unsigned* codes, unsigned char* scales, int blocks) {
  const int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block >= blocks) return;
  const float* mine = numbers + block * kBlock;
  float largest = 0.0f;
  for (int i = 0; i < kBlock; ++i) largest = __builtin_fmaxf(largest, __builtin_fabsf(mine[i]));
  const int exponent = static_cast<int>(__builtin_bit_cast(unsigned, largest) >> 23) - 2;
  const int code = exponent < 0 ? 0 : exponent;
  const float scale = __builtin_bit_cast(float, static_cast<unsigned>(code) << 23);
  for (int word = 0; word < kBlock / 8; ++word) {
    unsigned packed = 0;
    packed = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(packed, mine[word * 8], mine[word * 8 + 1], scale, 0);
    packed = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(packed, mine[word * 8 + 2], mine[word * 8 + 3], scale, 1);
    packed = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(packed, mine[word * 8 + 4], mine[word * 8 + 5], scale, 2);
    packed = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(packed, mine[word * 8 + 6], mine[word * 8 + 7], scale, 3);
    codes[block * (kBlock / 8) + word] = packed;
  }
  scales[block] = static_cast<unsigned char>(code);
}

extern "C" __global__ __launch_bounds__(64) void matmul_fp4(const unsigned char* a, const unsigned char* a_scales, const unsigned char* b,
                                                             const unsigned char* b_scales, float* c, int n, int k) {
  const int lane = threadIdx.x, row = lane % kTile, group = lane / kTile;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  Sums sums = {};
  for (int base = 0; base < k; base += kStep) {
    const int at = base + group * kBlock;
    const Quad four_a = *reinterpret_cast<const Quad*>(a + ((first_row + row) * k + at) / 2);
    const Quad four_b = *reinterpret_cast<const Quad*>(b + ((first_column + row) * k + at) / 2);
    Words from_a = {}, from_b = {};
    for (int i = 0; i < 4; ++i) {
      from_a[i] = four_a[i];
      from_b[i] = four_b[i];
    }
    const int scale_a = a_scales[((first_row + row) * k + at) / kBlock];
    const int scale_b = b_scales[((first_column + row) * k + at) / kBlock];
    sums = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(from_a, from_b, sums, 4, 4, 0, scale_a, 0, scale_b);
  }
  for (int i = 0; i < 4; ++i) c[(first_row + group * 4 + i) * n + first_column + row] = sums[i];
}
