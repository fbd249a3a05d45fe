// SPDX-License-Identifier: MIT
// CSR with 40 entries a row: one lane walks a row, or eight lanes take it together.
// fault: uncoalesced-load
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):2621440 --arg u32:random(2):2621440 --arg f32:random(3):4096 --arg f32:zero:65536 --arg i32:40
// launch fast: --grid 524288 --workgroup 256 --arg f32:random(1):2621440 --arg u32:random(2):2621440 --arg f32:random(3):4096 --arg f32:zero:65536 --arg i32:40
#include <hip/hip_runtime.h>
template <typename T> struct Csr { const T* v; const unsigned* c; };
template <typename T> __device__ T row_sum(Csr<T> m, const T* x, long from, long to, int step) {
  T s = 0;
  for (long k = from; k < to; k += step) s += m.v[k] * x[m.c[k] & 63u]; // fault
  return s;
}
extern "C" __global__ void slow(const float* v, const unsigned* c, const float* x, float* y, int width) {
  long row = blockIdx.x * (long)blockDim.x + threadIdx.x;
  y[row] = row_sum<float>({v, c}, x, row * width, row * width + width, 1);
}
extern "C" __global__ void fast(const float* v, const unsigned* c, const float* x, float* y, int width) {
  long row = (blockIdx.x * (long)blockDim.x + threadIdx.x) >> 3;
  int lane = threadIdx.x & 7;
  float s = row_sum<float>({v, c}, x, row * width + lane, row * width + width, 8);
  for (int d = 4; d; d >>= 1) s += __shfl_xor(s, d);
  if (!lane) y[row] = s;
}
