// SPDX-License-Identifier: MIT
// A tiled product of half-precision matrices by multiply-adds of the vector units.
// fault: matrix-units-idle
// launch: --grid 1024,256 --workgroup 32,8 --arg f16:random(1):1048576 --arg f16:random(2):1048576 --arg f32:zero:1048576
// launch fast: --grid 2048,32 --workgroup 64,1 --arg f16:random(1):1048576 --arg f16:random(2):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

constexpr int kN = 1024;
using half4 = _Float16 __attribute__((ext_vector_type(4)));
using float16 = float __attribute__((ext_vector_type(16)));

// 32 columns and 32 rows of a workgroup; a work-item has four rows of a column.
extern "C" __global__ void slow(const _Float16* a, const _Float16* b, float* out) {
  __shared__ _Float16 left[32][33], right[32][33];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sum[4] = {};
  for (int k = 0; k < kN; k += 32) {
    for (int r = y; r < 32; r += 8) {
      left[r][x] = a[(row + r) * kN + k + x];
      right[r][x] = b[(k + r) * kN + column + x];
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < 32; ++n) {
      const float with = right[n][x];
      for (int r = 0; r < 4; ++r) sum[r] += float(left[y * 4 + r][n]) * with;  // fault
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) out[(row + y * 4 + r) * kN + column + x] = sum[r];
}

// A wave has a tile of 32 by 32.
extern "C" __global__ void fast(const _Float16* a, const _Float16* b, float* out) {
  const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float16 sum = {};
  for (int k = 0; k < kN; k += 8) {
    half4 left, right;
    for (int n = 0; n < 4; ++n) {
      left[n] = a[(row + lane % 32) * kN + k + lane / 32 * 4 + n];
      right[n] = b[(k + lane / 32 * 4 + n) * kN + column + lane % 32];
    }
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(left, right, sum, 0, 0, 0);
  }
  for (int n = 0; n < 16; ++n)
    out[(row + n / 4 * 8 + lane / 32 * 4 + n % 4) * kN + column + lane % 32] = sum[n];
}
