// SPDX-License-Identifier: MIT
// A product of halves, 4 results a lane on the vector units, or by matrix instructions.
// fault: matrix-units-idle
// launch: --grid 512,256 --workgroup 64,4 --arg f16:random(1):131072 --arg f16:random(2):131072 --arg f32:zero:524288
// launch fast: --grid 4096,32 --workgroup 64,1 --arg f16:random(1):131072 --arg f16:random(2):131072 --arg f32:zero:524288
#include <hip/hip_runtime.h>
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
constexpr int K = 256;
extern "C" __global__ void slow(const _Float16* a, const _Float16* b, float* c) {
  const int col = blockIdx.x * 64 + threadIdx.x, row = (blockIdx.y * 4 + threadIdx.y) * 2;
  float s0 = 0, s1 = 0;
  for (int k = 0; k < K; ++k) {
    const float w = b[k * 512 + col];
    s0 += (float)a[row * K + k] * w; // fault
    s1 += (float)a[(row + 1) * K + k] * w; // fault
  }
  c[row * 512 + col] = s0;
  c[(row + 1) * 512 + col] = s1;
}
extern "C" __global__ void fast(const _Float16* a, const _Float16* b, float* c) {
  const int lane = threadIdx.x, i = lane & 15, g = lane >> 4, col = (blockIdx.x & 31) * 16, row = blockIdx.y * 16 + (blockIdx.x >> 5 & 1) * 0;
  float4v s = {0, 0, 0, 0};
#pragma unroll 4
  for (int k = 0; k < K; k += 16) {
    half4 x, y;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      x[j] = a[(row + i) * K + k + g * 4 + j];
      y[j] = b[(k + g * 4 + j) * 512 + col + i];
    }
    s = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, s, 0, 0, 0);
  }
  for (int r = 0; r < 4; ++r) c[(row + g * 4 + r) * 512 + col + i] = s[r];
}
