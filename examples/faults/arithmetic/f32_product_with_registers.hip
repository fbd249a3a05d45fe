// SPDX-License-Identifier: MIT
// A single-precision product of matrices from LDS by the vector units, two rows a work-item.
// fault: matrix-units-idle
// launch: --grid 1024,512 --workgroup 32,16 --arg f32:random(1):1048576 --arg f32:random(2):1048576 --arg f32:zero:1048576
// launch fast: --grid 2048,32 --workgroup 64,1 --arg f32:random(1):1048576 --arg f32:random(2):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

constexpr int kN = 1024;
using float16 = float __attribute__((ext_vector_type(16)));

extern "C" __global__ void slow(const float* a, const float* b, float* out) {
  __shared__ float left[32][33], right[32][32];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sum[2] = {};
  for (int k = 0; k < kN; k += 32) {
    for (int r = y; r < 32; r += 16) {
      left[r][x] = a[(row + r) * kN + k + x];
      right[r][x] = b[(k + r) * kN + column + x];
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < 32; ++n) {
      sum[0] += left[y][n] * right[n][x];       // fault
      sum[1] += left[y + 16][n] * right[n][x];  // fault
    }
    __syncthreads();
  }
  out[(row + y) * kN + column + x] = sum[0];
  out[(row + y + 16) * kN + column + x] = sum[1];
}
extern "C" __global__ void fast(const float* a, const float* b, float* out) {
  const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float16 sum = {};
#pragma unroll 8
  for (int k = 0; k < kN; k += 2) {
    const float left = a[(row + lane % 32) * kN + k + lane / 32];
    const float right = b[(k + lane / 32) * kN + column + lane % 32];
    sum = __builtin_amdgcn_mfma_f32_32x32x2f32(left, right, sum, 0, 0, 0);
  }
  for (int n = 0; n < 16; ++n)
    out[(row + n / 4 * 8 + lane / 32 * 4 + n % 4) * kN + column + lane % 32] = sum[n];
}
