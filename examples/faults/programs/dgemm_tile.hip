// SPDX-License-Identifier: MIT
// A product of doubles by tiles of 16 x 16 on the vector units, or by matrix instructions.
// fault: matrix-units-idle
// launch: --grid 512,512 --workgroup 16,16 --arg f64:random(1):65536 --arg f64:random(2):65536 --arg f64:zero:262144
// launch fast: --grid 2048,32 --workgroup 64,1 --arg f64:random(1):65536 --arg f64:random(2):65536 --arg f64:zero:262144
#include <hip/hip_runtime.h>
constexpr int N = 512, K = 128;
using double4v = double __attribute__((ext_vector_type(4)));
extern "C" __global__ void slow(const double* a, const double* b, double* c) {
  __shared__ double ta[16][17], tb[16][17];
  const int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  double sum = 0;
  for (int k = 0; k < K; k += 16) {
    ta[y][x] = a[row * K + k + x];
    tb[y][x] = b[(k + y) * N + col];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j) sum += ta[y][j] * tb[j][x]; // fault
    __syncthreads();
  }
  c[row * N + col] = sum;
}
extern "C" __global__ void fast(const double* a, const double* b, double* c) {
  const int lane = threadIdx.x, i = lane & 15, g = lane >> 4;
  const int col = blockIdx.x * 16, row = blockIdx.y * 16;
  double4v sum = {0, 0, 0, 0};
#pragma unroll 4
  for (int k = 0; k < K; k += 4) sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[(row + i) * K + k + g], b[(k + g) * N + col + i], sum, 0, 0, 0);
  for (int r = 0; r < 4; ++r) c[(row + r * 4 + g) * N + col + i] = sum[r];
}
