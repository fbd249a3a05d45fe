// SPDX-License-Identifier: MIT
// A panel of 32 columns of a matrix is scaled, row after row: rows lie 16 KiB apart, or 32 floats more.
// fault: channel-camping
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):33816576 --arg f32:random(2):32 --arg i32:4096
// launch fast: --grid 262144 --workgroup 256 --arg f32:random(1):33816576 --arg f32:random(2):32 --arg i32:4128
#include <hip/hip_runtime.h>
__device__ void scale_panel(float* a, const float* d, int lda) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = t & 31, row = t >> 5;
  float* p = a + (size_t)row * lda + col;
  *p *= d[col]; // fault
}
extern "C" __global__ void slow(float* a, const float* d, int lda) { scale_panel(a, d, lda); }
extern "C" __global__ void fast(float* a, const float* d, int lda) { scale_panel(a, d, lda); }
