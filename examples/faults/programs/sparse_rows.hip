// SPDX-License-Identifier: MIT
// A sparse matrix of 32 entries a row times a vector: a work-item walks a row, whose entries lie one after the other; and a half wave a row.
// fault: uncoalesced-load
// launch: --grid 65536 --workgroup 256 --arg f32:random(1):2097152 --arg u32:random(2):2097152 --arg f32:random(3):16384 --arg f32:zero:65536
// launch fast: --grid 2097152 --workgroup 256 --arg f32:random(1):2097152 --arg u32:random(2):2097152 --arg f32:random(3):16384 --arg f32:zero:65536
#include <hip/hip_runtime.h>

constexpr int kEntries = 32;

extern "C" __global__ void slow(const float* value, const unsigned* column, const float* x, float* y) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = row * kEntries; k < (row + 1) * kEntries; ++k)
    sum += value[k] * x[column[k] & 16383u];  // fault
  y[row] = sum;
}
extern "C" __global__ void fast(const float* value, const unsigned* column, const float* x, float* y) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = value[k] * x[column[k] & 16383u];
  for (int d = kEntries / 2; d > 0; d /= 2) sum += __shfl_xor(sum, d);
  if (k % kEntries == 0) y[k / kEntries] = sum;
}
