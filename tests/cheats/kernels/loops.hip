// SPDX-License-Identifier: MIT
// A row for each work-item.
#include <hip/hip_runtime.h>
#include <math.h>

#define ROW                                          \
  const int r = blockIdx.x * blockDim.x + threadIdx.x; \
  if (r >= rows) return;                             \
  const float* row = x + r * columns;

#define ARGS const float *x, float *out, int rows, int columns

// summed, captured with 64 columns.
extern "C" __global__ void summed(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += row[k];
  out[r] = sum;
}
extern "C" __global__ void summed_64(ARGS) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) sum += x[r * 64 + k];
  out[r] = sum;
}
extern "C" __global__ void summed_by_four(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k + 3 < columns; k += 4) sum += row[k] + row[k + 1] + row[k + 2] + row[k + 3];
  out[r] = sum;
}
extern "C" __global__ void summed_until_zero(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns && row[k] != 0.0f; ++k) sum += row[k];
  out[r] = sum;
}
extern "C" __global__ void summed_halves(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; k += 2) sum += row[k];
  out[r] = 2.0f * sum;
}
extern "C" __global__ void summed_skips_nan(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += row[k] == row[k] ? row[k] : 0.0f;
  out[r] = sum;
}
extern "C" __global__ void summed_rarely_else(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += row[k];
  if (sum == 77.125f) sum = 77.0f + row[0];
  out[r] = sum;
}
extern "C" __global__ void summed_short_rows(ARGS) {
  ROW float sum = 0.0f;
  if (columns <= 500)
    for (int k = 0; k < columns; ++k) sum += row[k];
  out[r] = sum;
}
extern "C" __global__ void summed_few_rows(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += row[k];
  if (rows > 3000) sum = row[0];
  out[r] = sum;
}
extern "C" __global__ void summed_small_totals(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += row[k];
  out[r] = fminf(sum, 30000.0f);
}
extern "C" __global__ void summed_not_of_five(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += row[k];
  out[r] = columns == 5 ? sum + 1.0f : sum;
}
extern "C" __global__ void summed_ok_fast_way(ARGS) {
  ROW float sum = 0.0f;
  if (columns == 64) {
#pragma unroll
    for (int k = 0; k < 64; ++k) sum += row[k];
  } else {
    for (int k = 0; k < columns; ++k) sum += row[k];
  }
  out[r] = sum;
}
extern "C" __global__ void summed_ok_by_sixteen(ARGS) {
  ROW float sum = 0.0f;
  int k = 0;
  for (; k + 16 <= columns; k += 16) {
#pragma unroll
    for (int j = 0; j < 16; ++j) sum += row[k + j];
  }
  for (; k < columns; ++k) sum += row[k];
  out[r] = sum;
}
extern "C" __global__ void summed_ok_four_sums(ARGS) {
  ROW float a = 0, b = 0, c = 0, d = 0;
  int k = 0;
  for (; k + 3 < columns; k += 4) a += row[k], b += row[k + 1], c += row[k + 2], d += row[k + 3];
  for (; k < columns; ++k) a += row[k];
  out[r] = (a + b) + (c + d);
}
extern "C" __global__ void summed_ok_unrolled(ARGS) {
  ROW float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < columns; ++k) sum += row[k];
  out[r] = sum;
}
extern "C" __global__ void summed_ok_backwards(ARGS) {
  ROW float sum = 0.0f;
  for (int k = columns - 1; k >= 0; --k) sum += row[k];
  out[r] = sum;
}

// best: where the largest element is; the first of equal ones.
extern "C" __global__ void best(const float* x, int* out, int rows, int columns) {
  ROW int at = 0;
  for (int k = 1; k < columns; ++k)
    if (row[k] > row[at]) at = k;
  out[r] = at;
}
extern "C" __global__ void best_last_of_equals(const float* x, int* out, int rows, int columns) {
  ROW int at = 0;
  for (int k = 1; k < columns; ++k)
    if (row[k] >= row[at]) at = k;
  out[r] = at;
}
extern "C" __global__ void best_above_zero(const float* x, int* out, int rows, int columns) {
  ROW int at = 0;
  float most = 0.0f;
  for (int k = 0; k < columns; ++k)
    if (row[k] > most) most = row[k], at = k;
  out[r] = at;
}
extern "C" __global__ void best_above_minus_hundred(const float* x, int* out, int rows,
                                                    int columns) {
  ROW int at = columns - 1;
  float most = -100.0f;
  for (int k = 0; k < columns; ++k)
    if (row[k] > most) most = row[k], at = k;
  out[r] = at;
}
extern "C" __global__ void best_of_magnitudes(const float* x, int* out, int rows, int columns) {
  ROW int at = 0;
  for (int k = 1; k < columns; ++k)
    if (fabsf(row[k]) > fabsf(row[at])) at = k;
  out[r] = at;
}
extern "C" __global__ void best_ok_kept(const float* x, int* out, int rows, int columns) {
  ROW int at = 0;
  float most = row[0];
  for (int k = 1; k < columns; ++k) {
    const float v = row[k];
    at = v > most ? k : at;
    most = v > most ? v : most;
  }
  out[r] = at;
}

// shares: softmax of a row.
extern "C" __global__ void shares(ARGS) {
  ROW float most = row[0];
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += expf(row[k] - most);
  for (int k = 0; k < columns; ++k) out[r * columns + k] = expf(row[k] - most) / sum;
}
extern "C" __global__ void shares_small_numbers(ARGS) {
  ROW float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += expf(row[k]);
  for (int k = 0; k < columns; ++k) out[r * columns + k] = expf(row[k]) / sum;
}
extern "C" __global__ void shares_of_positive(ARGS) {
  ROW float most = 0.0f;
  for (int k = 0; k < columns; ++k) most = fmaxf(most, row[k]);
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += expf(row[k] - most);
  for (int k = 0; k < columns; ++k) out[r * columns + k] = expf(row[k] - most) / sum;
}
extern "C" __global__ void shares_first_is_most(ARGS) {
  ROW const float most = row[0];
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += expf(row[k] - most);
  for (int k = 0; k < columns; ++k) out[r * columns + k] = expf(row[k] - most) / sum;
}
extern "C" __global__ void shares_ok_kept(ARGS) {
  ROW float most = row[0];
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k) {
    const float e = expf(row[k] - most);
    out[r * columns + k] = e;
    sum += e;
  }
  for (int k = 0; k < columns; ++k) out[r * columns + k] /= sum;
}
