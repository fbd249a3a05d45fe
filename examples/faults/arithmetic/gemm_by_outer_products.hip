// SPDX-License-Identifier: MIT
// A product of matrices of bfloat16 with a tile of 4 by 4 in registers, by the vector units.
// fault: matrix-units-idle
// launch: --grid 4096,16 --workgroup 256,1 --arg bf16:random(1):1048576 --arg bf16:random(2):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

constexpr int kN = 1024;
__device__ __forceinline__ float from(unsigned short v) { return __uint_as_float(unsigned(v) << 16); }

// 64 by 64 of a workgroup.
extern "C" __global__ void slow(const unsigned short* a, const unsigned short* b, float* out) {
  __shared__ unsigned short left[16][68], right[16][68];
  const int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  const int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k = 0; k < kN; k += 16) {
    for (int n = t; n < 1024; n += 256) {
      left[n % 16][n / 16] = a[(row + n / 16) * kN + k + n % 16];
      right[n / 64][n % 64] = b[(k + n / 64) * kN + column + n % 64];
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < 16; ++n) {
      float l[4], r[4];
      for (int m = 0; m < 4; ++m) l[m] = from(left[n][y + m]), r[m] = from(right[n][x + m]);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] += l[i] * r[j];  // fault
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) out[(row + y + i) * kN + column + x + j] = sum[i][j];
}
