// SPDX-License-Identifier: MIT
// c = a * b for row-major m x k and k x n matrices of half precision, summed in single precision by matrix instructions: a workgroup
// of four waves makes a 64 x 64 tile of c, a wave 32 x 32 of it. Tiles of a and b go through LDS, where k runs fastest in both and
// rows are padded, so that the four neighbours in k that an instruction wants in one lane are read at once.
#include <hip/hip_runtime.h>

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kPadded = kDepth + 4;
constexpr int kStep = 8;   // k of one instruction
constexpr int kGroup = 4;  // neighbours in k of one lane

using Halves = _Float16 __attribute__((ext_vector_type(4)));
using Sums = float __attribute__((ext_vector_type(16)));

extern "C" __global__ __launch_bounds__(256) void matmul_mfma(const _Float16* a, const _Float16* b, float* c, int m,
                                                               int n, int k) {
  __shared__ _Float16 tile_a[kTile][kPadded];
  __shared__ _Float16 tile_b[kTile][kPadded];
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int thread = threadIdx.x, lane = thread % 64, wave = thread / 64;
  const int wave_row = wave / 2 * 32, wave_column = wave % 2 * 32;
  Sums sums = {};
  for (int base = 0; base < k; base += kDepth) {
    const int a_row = thread / 4, b_k = thread / 16;
    for (int i = 0; i < 4; ++i) {
      const int a_k = thread % 4 * 4 + i, b_column = thread % 16 * 4 + i;
      const bool a_inside = first_row + a_row < m && base + a_k < k;
      const bool b_inside = base + b_k < k && first_column + b_column < n;
      tile_a[a_row][a_k] = a_inside ? a[(first_row + a_row) * k + base + a_k] : _Float16(0);
      tile_b[b_column][b_k] = b_inside ? b[(base + b_k) * n + first_column + b_column] : _Float16(0);
    }
    __syncthreads();
    for (int step = 0; step < kDepth; step += kStep) {
      const int at = step + lane / 32 * kGroup;
      const Halves from_a = *reinterpret_cast<const Halves*>(&tile_a[wave_row + lane % 32][at]);
      const Halves from_b = *reinterpret_cast<const Halves*>(&tile_b[wave_column + lane % 32][at]);
      sums = __builtin_amdgcn_mfma_f32_32x32x8f16(from_a, from_b, sums, 0, 0, 0);
    }
    __syncthreads();
  }
  const int column = first_column + wave_column + lane % 32;
  for (int i = 0; i < 16; ++i) {
    const int row = first_row + wave_row + i / 4 * 8 + lane / 32 * 4 + i % 4;
    if (row < m && column < n) c[row * n + column] = sums[i];
  }
}
