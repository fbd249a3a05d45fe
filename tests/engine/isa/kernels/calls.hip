// SPDX-License-Identifier: MIT
// Functions that are called and not inlined, with variables in registers and in private memory.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) float sum_of(const float* row, int count) {
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) sum += row[i] * 2.0f;
  return sum;
}

struct Weights {
  float low, high;
  char kind;
  double wide;
};

__device__ __attribute__((noinline)) float blend(const float* row, int count, float scale) {
  const float half = scale * 0.5f;
  const float left = sum_of(row, count);
  const float right = sum_of(row + 1, count - 1);
  return left * half + right * scale;
}

__device__ __attribute__((noinline)) int chosen(int* from, int which) { return from[which & 3]; }

extern "C" __global__ void rows_of(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int table[4] = {row, row * 2, row * 3, row * 5};
  const float weight = row * 0.25f;
  const Weights weights = {weight, weight + 1, 'w', weight * 2.0};
  const int pick = chosen(table, columns);
  const float blended = blend(in + row * columns, columns, weights.low);
  out[row] = blended + weights.high + pick + table[row & 3];
}
