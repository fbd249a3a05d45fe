// SPDX-License-Identifier: MIT
// c = a * b' for a of m x k and b of n x k bytes, which are 8-bit floats (E4M3 of the Open Compute Project) with one scale (E8M0) for each 32 neighbours
// in k: the sums of products are in single precision. A wave makes a 32 x 32 tile of c by instructions that take 64 of k at once; m, n and k are multiples
// of 32, 32 and 64. Bytes go from memory to LDS without passing registers, 16 a lane.
#include <hip/hip_runtime.h>

constexpr int kTile = 32;
constexpr int kStep = 64;   // k of one instruction
constexpr int kBlock = 32;  // neighbours that share a scale
constexpr int kRun = 16;    // bytes that a lane holds side by side

using Bytes = int __attribute__((ext_vector_type(8)));
using Quad = int __attribute__((ext_vector_type(4)));
using Sums = float __attribute__((ext_vector_type(16)));

using LdsPointer = __attribute__((address_space(3))) void*;
using GlobalPointer = __attribute__((address_space(1))) void*;

extern "C" __global__ __launch_bounds__(64) void matmul_fp8(const unsigned char* a, const unsigned char* a_scales, const unsigned char* b,
                                                             const unsigned char* b_scales, float* c, int n, int k) {
  // Of 32 rows of each, 64 bytes, as lanes brought them: lane after lane, 16 bytes each.
  __shared__ __attribute__((aligned(16))) unsigned char tiles[2][2][64 * kRun];
  const int lane = threadIdx.x, row = lane % kTile, half = lane / kTile;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  Sums sums = {};
  for (int base = 0; base < k; base += kStep) {
    for (int part = 0; part < 2; ++part) {
      const int at = base + part * (kStep / 2) + half * kRun;
      __builtin_amdgcn_global_load_lds((GlobalPointer)(a + (first_row + row) * k + at), (LdsPointer)&tiles[0][part][0], 16, 0, 0);
      __builtin_amdgcn_global_load_lds((GlobalPointer)(b + (first_column + row) * k + at), (LdsPointer)&tiles[1][part][0], 16, 0, 0);
    }
    const int scale_a = a_scales[(first_row + row) * (k / kBlock) + base / kBlock + half];
    const int scale_b = b_scales[(first_column + row) * (k / kBlock) + base / kBlock + half];
    __builtin_amdgcn_s_waitcnt(0);
    __syncthreads();
    Bytes from_a, from_b;
    for (int part = 0; part < 2; ++part) {
      const Quad four_a = *reinterpret_cast<const Quad*>(&tiles[0][part][lane * kRun]);
      const Quad four_b = *reinterpret_cast<const Quad*>(&tiles[1][part][lane * kRun]);
      for (int i = 0; i < 4; ++i) {
        from_a[part * 4 + i] = four_a[i];
        from_b[part * 4 + i] = four_b[i];
      }
    }
    sums = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(from_a, from_b, sums, 0, 0, 0, scale_a, 0, scale_b);
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    c[(first_row + i / 4 * 8 + half * 4 + i % 4) * n + first_column + row] = sums[i];
}
