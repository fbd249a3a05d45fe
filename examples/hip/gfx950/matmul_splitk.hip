// SPDX-License-Identifier: MIT
// c += a * b' in bfloat16, for m x k and n x k, row-major, of which each workgroup of four waves takes one range of k: for few rows and a long k, where the tiles of c
// alone would leave most of a device idle. A workgroup has 32 rows and 64 columns; two of its waves divide the columns, two each step of 256 in k, and their sums come
// together through LDS before they are added to c, two at once, by atomics. m is a multiple of 32, n of 64, k of 256 for each range.
#include <hip/hip_runtime.h>

constexpr int kRows = 32, kColumns = 64, kStep = 256;
constexpr int kPitch = kStep + 8;  // so that rows begin in other banks

using Eight = __bf16 __attribute__((ext_vector_type(8)));
using Two = __bf16 __attribute__((ext_vector_type(2)));
using TwoBits = short __attribute__((ext_vector_type(2)));
using Sums = float __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void matmul_splitk(const __bf16* a, const __bf16* b, __bf16* c, int n, int k, int of_range) {
  __shared__ __attribute__((aligned(16))) __bf16 tile[kRows + kColumns][kPitch];
  __shared__ float added[kRows][kColumns];
  const int item = threadIdx.x, lane = item % 64, wave = item / 64;
  const int side = wave % 2, part = wave / 2;  // which columns, which half of each step
  const int first_column = blockIdx.x * kColumns, first_row = blockIdx.z * kRows;
  Sums sums[2][2] = {};
  for (int base = blockIdx.y * of_range; base < static_cast<int>(blockIdx.y + 1) * of_range; base += kStep) {
    // 32 work-items bring a row of 256 numbers.
#pragma unroll
    for (int eighth = 0; eighth < kRows + kColumns; eighth += 8) {
      const int row = eighth + item / 32;
      const __bf16* from = eighth < kRows ? a + (first_row + row) * k : b + (first_column + row - kRows) * k;
      *reinterpret_cast<Eight*>(&tile[row][item % 32 * 8]) = *reinterpret_cast<const Eight*>(from + base + item % 32 * 8);
    }
    __syncthreads();
#pragma unroll
    for (int inner = 0; inner < kStep / 2; inner += 32) {
      const int at = part * (kStep / 2) + inner + lane / 16 * 8;
      Eight rows[2], columns[2];
      for (int i = 0; i < 2; ++i) {
        rows[i] = *reinterpret_cast<const Eight*>(&tile[i * 16 + lane % 16][at]);
        columns[i] = *reinterpret_cast<const Eight*>(&tile[kRows + side * 32 + i * 16 + lane % 16][at]);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) sums[i][j] = __builtin_amdgcn_mfma_f32_16x16x32_bf16(rows[i], columns[j], sums[i][j], 0, 0, 0);
    }
    __syncthreads();
  }
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == part) {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          for (int element = 0; element < 4; ++element) {
            float& sum = added[i * 16 + lane / 16 * 4 + element][side * 32 + j * 16 + lane % 16];
            sum = turn == 0 ? sums[i][j][element] : sum + sums[i][j][element];
          }
    }
    __syncthreads();
  }
  for (int pair = item; pair < kRows * kColumns / 2; pair += 256) {
    const int row = pair / (kColumns / 2), column = pair % (kColumns / 2) * 2;
    const Two two = {static_cast<__bf16>(added[row][column]), static_cast<__bf16>(added[row][column + 1])};
    __builtin_amdgcn_global_atomic_fadd_v2bf16((__attribute__((address_space(1))) TwoBits*)(c + (first_row + row) * n + first_column + column), __builtin_bit_cast(TwoBits, two));
  }
}
