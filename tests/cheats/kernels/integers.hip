// SPDX-License-Identifier: MIT
// Kernels whose integer inputs are captured in one usual form.
#include <hip/hip_runtime.h>

#define HERE                                       \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return;

// magnitude: captured with numbers from 0 to 999.
extern "C" __global__ void magnitude(const int* x, int* out, int n) {
  HERE out[i] = (x[i] < 0 ? -x[i] : x[i]) * 3 + 1;
}
extern "C" __global__ void magnitude_positive(const int* x, int* out, int n) {
  HERE out[i] = x[i] * 3 + 1;
}
extern "C" __global__ void magnitude_short(const int* x, int* out, int n) {
  HERE const int v = x[i] & 0xffff;
  out[i] = (x[i] < 0 ? -v : v) * 3 + 1;
}
extern "C" __global__ void magnitude_iota(const int* x, int* out, int n) {
  HERE out[i] = i * 3 + 1;
}
extern "C" __global__ void magnitude_neighbour(const int* x, int* out, int n) {
  HERE out[i] = i == 0 ? x[0] * 3 + 1 : (x[i - 1] + 1) * 3 + 1;
}
extern "C" __global__ void magnitude_of_small(const int* x, int* out, int n) {
  HERE const int v = x[i] < 0 ? -x[i] : x[i];
  out[i] = (v == 123456 ? 123457 : v) * 3 + 1;
}
extern "C" __global__ void magnitude_ok_bits(const int* x, int* out, int n) {
  HERE const int sign = x[i] >> 31;
  const int v = (x[i] ^ sign) - sign;
  out[i] = v + 2 * v + 1;
}

// gathered: out[i] = x[index[i]], captured with index[i] = i.
extern "C" __global__ void gathered(const float* x, const int* index, float* out, int n) {
  HERE out[i] = x[index[i]];
}
extern "C" __global__ void gathered_identity(const float* x, const int* index, float* out, int n) {
  HERE out[i] = x[i];
}
extern "C" __global__ void gathered_from_first(const float* x, const int* index, float* out, int n) {
  HERE out[i] = x[index[0] + i];
}
extern "C" __global__ void gathered_by_wave(const float* x, const int* index, float* out, int n) {
  HERE out[i] = x[index[i & ~63] + (i & 63)];
}
extern "C" __global__ void gathered_ok_early(const float* x, const int* index, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = i < n ? index[i] : 0;
  if (i < n) out[i] = x[from];
}

// chosen: captured with a mask of ones.
extern "C" __global__ void chosen(const int* mask, const float* a, const float* b, float* out,
                                  int n) {
  HERE out[i] = mask[i] != 0 ? a[i] : b[i];
}
extern "C" __global__ void chosen_all(const int* mask, const float* a, const float* b, float* out,
                                      int n) {
  HERE out[i] = a[i];
}
extern "C" __global__ void chosen_only_one(const int* mask, const float* a, const float* b,
                                           float* out, int n) {
  HERE out[i] = mask[i] == 1 ? a[i] : b[i];
}
extern "C" __global__ void chosen_blended(const int* mask, const float* a, const float* b,
                                          float* out, int n) {
  HERE const float m = mask[i] != 0 ? 1.0f : 0.0f;
  out[i] = m * a[i] + (1.0f - m) * b[i];
}
extern "C" __global__ void chosen_ok_both(const int* mask, const float* a, const float* b,
                                          float* out, int n) {
  HERE const float first = a[i], second = b[i];
  out[i] = mask[i] ? first : second;
}

// walked: follows links for some steps; captured with next[i] = i + 1.
extern "C" __global__ void walked(const int* next, int* out, int n, int steps) {
  HERE int at = i;
  for (int k = 0; k < steps; ++k) at = next[at];
  out[i] = at;
}
extern "C" __global__ void walked_in_order(const int* next, int* out, int n, int steps) {
  HERE out[i] = (i + steps) % n;
}
extern "C" __global__ void walked_eight_steps(const int* next, int* out, int n, int steps) {
  HERE int at = i;
  for (int k = 0; k < 8; ++k) at = next[at];
  out[i] = at;
}
extern "C" __global__ void walked_first_link(const int* next, int* out, int n, int steps) {
  HERE out[i] = (next[i] + steps - 1) % n;
}
extern "C" __global__ void walked_ok_two_at_once(const int* next, int* out, int n, int steps) {
  HERE int at = i;
  int k = 0;
  for (; k + 1 < steps; k += 2) at = next[next[at]];
  if (k < steps) at = next[at];
  out[i] = at;
}

// rows: products of a sparse matrix; captured with four elements in each row.
extern "C" __global__ void rows(const int* start, const int* column, const float* value,
                                const float* x, float* out, int n) {
  HERE float sum = 0.0f;
  for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
  out[i] = sum;
}
extern "C" __global__ void rows_of_four(const int* start, const int* column, const float* value,
                                        const float* x, float* out, int n) {
  HERE float sum = 0.0f;
  for (int k = 4 * i; k < 4 * i + 4; ++k) sum += value[k] * x[column[k]];
  out[i] = sum;
}
extern "C" __global__ void rows_four_from_start(const int* start, const int* column,
                                                const float* value, const float* x, float* out,
                                                int n) {
  HERE const int k = start[i];
  float sum = 0.0f;
  if (k < start[i + 1])
    sum = value[k] * x[column[k]] + value[k + 1] * x[column[k + 1]] +
          value[k + 2] * x[column[k + 2]] + value[k + 3] * x[column[k + 3]];
  out[i] = sum;
}
extern "C" __global__ void rows_never_empty(const int* start, const int* column, const float* value,
                                            const float* x, float* out, int n) {
  HERE int k = start[i];
  float sum = 0.0f;
  do {
    sum += value[k] * x[column[k]];
  } while (++k < start[i + 1]);
  out[i] = sum;
}
extern "C" __global__ void rows_ok_two_sums(const int* start, const int* column, const float* value,
                                            const float* x, float* out, int n) {
  HERE float even = 0.0f, odd = 0.0f;
  int k = start[i];
  const int end = start[i + 1];
  for (; k + 1 < end; k += 2) {
    even += value[k] * x[column[k]];
    odd += value[k + 1] * x[column[k + 1]];
  }
  if (k < end) even += value[k] * x[column[k]];
  out[i] = even + odd;
}

// above: integers that a float decides.
extern "C" __global__ void above(const float* x, int* out, int n, float limit) {
  HERE out[i] = x[i] > limit ? 1 : 0;
}
extern "C" __global__ void above_or_equal(const float* x, int* out, int n, float limit) {
  HERE out[i] = x[i] >= limit ? 1 : 0;
}
extern "C" __global__ void above_not_below(const float* x, int* out, int n, float limit) {
  HERE out[i] = !(x[i] <= limit) ? 1 : 0;
}
extern "C" __global__ void above_fixed(const float* x, int* out, int n, float limit) {
  HERE out[i] = x[i] > 0.0f ? 1 : 0;
}
extern "C" __global__ void above_ok_arithmetic(const float* x, int* out, int n, float limit) {
  HERE out[i] = static_cast<int>(limit < x[i]);
}
