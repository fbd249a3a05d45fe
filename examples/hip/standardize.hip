// SPDX-License-Identifier: MIT
// Every value of a row as its distance from the row's mean, counted in standard deviations; one work-item for each row. A row of equal values
// has no deviation to count in: docs/debugging.md finds out where. Compiled with -g, so that its variables can be looked at.
#include <hip/hip_runtime.h>

template <typename T>
__device__ T mean_of(const T* row, int columns, T share) {
  T sum = 0;
  for (int i = 0; i < columns; ++i) sum += row[i];
  return sum * share;
}

template <typename T>
__device__ T variance_of(const T* row, int columns, T share, T mean) {
  T squares = 0;
  for (int i = 0; i < columns; ++i) {
    const T distance = row[i] - mean;
    squares += distance * distance;
  }
  return squares * share;
}

template <typename T, int kRows>
__global__ __launch_bounds__(kRows) void standardize(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x * kRows + threadIdx.x;
  if (row >= rows) return;
  const T* x = in + row * columns;
  const T share = __builtin_amdgcn_rcpf(columns);
  const T mean = mean_of(x, columns, share);
  const T variance = variance_of(x, columns, share, mean);
  const T scale = __builtin_amdgcn_rsqf(variance);
  for (int i = 0; i < columns; ++i) {
    const T centered = x[i] - mean;
    out[row * columns + i] = centered * scale;
  }
}
template __global__ void standardize<float, 128>(const float*, float*, int, int);
