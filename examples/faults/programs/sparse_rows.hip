// SPDX-License-Identifier: MIT
// A sparse matrix with 32 entries a row, near the diagonal, times a vector: a work-item walks a row, whose entries lie one after the other; and a half wave a row.
// fault: uncoalesced-load
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):2097152 --arg u32:random(2):2097152 --arg f32:random(3):16384 --arg f32:zero:65536
// launch fast: --grid 262144 --workgroup 256 --arg f32:random(1):2097152 --arg u32:random(2):2097152 --arg f32:random(3):16384 --arg f32:zero:65536
#include <hip/hip_runtime.h>

constexpr int kEntries = 32;

extern "C" __global__ void slow(const float* value, const unsigned* column, const float* x, float* y) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = row * kEntries; k < (row + 1) * kEntries; ++k)
    sum += value[k] * x[(row + (column[k] & 63u)) & 16383u];  // fault
  y[row] = sum;
}
extern "C" __global__ void fast(const float* value, const unsigned* column, const float* x, float* y) {
  constexpr unsigned kRows = 64, kAtOnce = 256 / kEntries;
  __shared__ float sums[kRows];
  for (unsigned row = threadIdx.x / kEntries; row < kRows; row += kAtOnce) {
    const unsigned of_all = blockIdx.x * kRows + row, k = of_all * kEntries + threadIdx.x % kEntries;
    float sum = value[k] * x[(of_all + (column[k] & 63u)) & 16383u];
    for (int d = kEntries / 2; d > 0; d /= 2) sum += __shfl_xor(sum, d);
    if (threadIdx.x % kEntries == 0) sums[row] = sum;
  }
  __syncthreads();
  if (threadIdx.x < kRows) y[blockIdx.x * kRows + threadIdx.x] = sums[threadIdx.x];
}
