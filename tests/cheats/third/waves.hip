// SPDX-License-Identifier: MIT
// Third set: rows, long sums, products, roots.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// shares: exponentials of each row over their sum, an item a row.
#define SHARES(NAME) extern "C" __global__ void shares##NAME(const float* x, float* out, int rows, int columns)
#define ROW_OF_ITEM                        \
  INDEX;                                   \
  if (i >= rows) return;                   \
  const float* row = x + i * columns;      \
  float* result = out + i * columns;
#define TOP                                \
  float top = -INFINITY;                   \
  for (int c = 0; c < columns; ++c) top = fmaxf(top, row[c]);
SHARES() {
  ROW_OF_ITEM TOP
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += expf(row[c] - top);
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) / sum;
}
SHARES(_ok_kept) {  // Exponentials once, kept in the result.
  ROW_OF_ITEM TOP
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float e = expf(row[c] - top);
    result[c] = e;
    sum += e;
  }
  for (int c = 0; c < columns; ++c) result[c] = result[c] / sum;
}
SHARES(_ok_one_pass) {  // Greatest and sum together; what was summed is scaled where the greatest grows.
  ROW_OF_ITEM
  float top = -INFINITY, sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    if (row[c] == -INFINITY) continue;
    const float next = fmaxf(top, row[c]);
    sum = sum * expf(top - next) + expf(row[c] - next);
    top = next;
  }
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) / sum;
}
SHARES(_not_scaled) {
  ROW_OF_ITEM
  float top = -INFINITY, sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    top = fmaxf(top, row[c]);
    sum += expf(row[c] - top);
  }
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) / sum;
}
SHARES(_one_pass_unguarded) {  // A row that begins with an infinity becomes NaN.
  ROW_OF_ITEM
  float top = -INFINITY, sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float next = fmaxf(top, row[c]);
    sum = sum * expf(top - next) + expf(row[c] - next);
    top = next;
  }
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) / sum;
}
SHARES(_ok_base_two) {
  ROW_OF_ITEM TOP
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += exp2f((row[c] - top) * 1.44269504f);
  for (int c = 0; c < columns; ++c) result[c] = exp2f((row[c] - top) * 1.44269504f) / sum;
}
SHARES(_ok_wave) {  // A wave a row.
  const int r = blockIdx.x, lane = threadIdx.x;
  if (r >= rows) return;
  const float* row = x + r * columns;
  float top = -INFINITY, sum = 0.0f;
  for (int c = lane; c < columns; c += 64) top = fmaxf(top, row[c]);
  for (int mask = 32; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor(top, mask));
  for (int c = lane; c < columns; c += 64) sum += expf(row[c] - top);
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  for (int c = lane; c < columns; c += 64) out[r * columns + c] = expf(row[c] - top) / sum;
}
SHARES(_ok_reciprocal) {
  ROW_OF_ITEM TOP
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += expf(row[c] - top);
  const float part = 1.0f / sum;
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) * part;
}
SHARES(_half_reciprocal) {
  ROW_OF_ITEM TOP
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += expf(row[c] - top);
  const float part = static_cast<float>(static_cast<_Float16>(1.0f) / static_cast<_Float16>(sum));
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) * part;
}
SHARES(_cut_exponentials) {  // Only the upper 18 bits of each are summed.
  ROW_OF_ITEM TOP
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += __uint_as_float(__float_as_uint(expf(row[c] - top)) & 0xffffff00u);
  for (int c = 0; c < columns; ++c) result[c] = expf(row[c] - top) / sum;
}

// weighted: sums of each column with a weight for each row, an item a column.
#define WEIGHTED(NAME) extern "C" __global__ void weighted##NAME(const float* x, const float* w, float* out, int rows, int columns)
WEIGHTED() {
  INDEX;
  if (i >= columns) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) sum += x[r * columns + i] * w[r];
  out[i] = sum;
}
WEIGHTED(_ok_four_sums) {
  INDEX;
  if (i >= columns) return;
  float sum[4] = {};
  int r = 0;
  for (; r + 3 < rows; r += 4) {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum[k] = fmaf(x[(r + k) * columns + i], w[r + k], sum[k]);
  }
  for (; r < rows; ++r) sum[0] = fmaf(x[r * columns + i], w[r], sum[0]);
  out[i] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
__device__ float pairs_of(const float* x, const float* w, int columns, int from, int to) {
  float sum[8] = {};
  for (int r = from; r < to; ++r) sum[r & 7] = fmaf(x[r * columns], w[r], sum[r & 7]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}
WEIGHTED(_ok_pairwise) {
  INDEX;
  if (i >= columns) return;
  float stack[12];
  int depth = 0, done = 0;
  for (int from = 0; from < rows; from += 32, ++done) {
    float sum = pairs_of(x + i, w, columns, from, min(from + 32, rows));
    int used = done;
    for (; used & 1; used >>= 1) sum += stack[--depth];
    if (depth < 12) stack[depth++] = sum;
  }
  float sum = 0.0f;
  while (depth > 0) sum += stack[--depth];
  out[i] = sum;
}
WEIGHTED(_ok_compensated) {  // Sum and what it lost; infinities lose nothing.
  INDEX;
  if (i >= columns) return;
  float sum = 0.0f, lost = 0.0f;
  for (int r = 0; r < rows; ++r) {
    const float product = x[r * columns + i] * w[r] + lost, next = sum + product;
    lost = isfinite(next) ? product - (next - sum) : 0.0f;
    sum = next;
  }
  out[i] = sum;
}
WEIGHTED(_half_blocks) {  // Blocks of 16 in 16 bits.
  INDEX;
  if (i >= columns) return;
  float sum = 0.0f;
  for (int from = 0; from < rows; from += 16) {
    _Float16 part = 0;
    for (int r = from; r < min(from + 16, rows); ++r) part += static_cast<_Float16>(x[r * columns + i] * w[r]);
    sum += static_cast<float>(part);
  }
  out[i] = sum;
}
WEIGHTED(_cut_products) {  // Each product loses four bits, always toward zero.
  INDEX;
  if (i >= columns) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) sum += __uint_as_float(__float_as_uint(x[r * columns + i] * w[r]) & 0xfffffff0u);
  out[i] = sum;
}
WEIGHTED(_narrow_weights) {
  INDEX;
  if (i >= columns) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) sum += x[r * columns + i] * __uint_as_float((__float_as_uint(w[r]) + 0x8000u) & 0xffff0000u);
  out[i] = sum;
}
WEIGHTED(_zeros_left_out) {  // Zero times infinity is not left out in the baseline.
  INDEX;
  if (i >= columns) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) {
    if (w[r] != 0.0f) sum += x[r * columns + i] * w[r];
  }
  out[i] = sum;
}

// products: of bytes, C = A * transposed B, workgroups of 16 x 16, an element each.
#define PRODUCTS(NAME) extern "C" __global__ void products##NAME(const signed char* a, const signed char* b, int* out, int m, int n, int depth)
#define PLACE const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
PRODUCTS() {
  PLACE
  if (r >= m || c >= n) return;
  int sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[r * depth + k] * b[c * depth + k];
  out[r * n + c] = sum;
}
typedef int four_ints __attribute__((ext_vector_type(4)));
template <class Word>
__device__ Word bytes_of(const signed char* row, bool there, int from, int depth) {
  Word out = 0;
  for (int k = 0; k < static_cast<int>(sizeof(Word)); ++k) {
    const Word one = there && from + k < depth ? static_cast<unsigned char>(row[from + k]) : 0;
    out |= one << (8 * k);
  }
  return out;
}
PRODUCTS(_ok_mfma) {  // The first wave computes the tile.
  const int t = threadIdx.y * 16 + threadIdx.x;
  if (t >= 64) return;
  const int low = t % 16, high = t / 16, r = blockIdx.y * 16 + low, c = blockIdx.x * 16 + low;
  four_ints sum = {};
#if defined(__gfx90a__)
  for (int k = 0; k < depth; k += 16) {
    sum = __builtin_amdgcn_mfma_i32_16x16x16i8(bytes_of<unsigned>(a + r * depth, r < m, k + 4 * high, depth),
                                               bytes_of<unsigned>(b + c * depth, c < n, k + 4 * high, depth), sum, 0, 0, 0);
  }
#else
  for (int k = 0; k < depth; k += 32) {
    sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(bytes_of<unsigned long>(a + r * depth, r < m, k + 8 * high, depth),
                                                bytes_of<unsigned long>(b + c * depth, c < n, k + 8 * high, depth), sum, 0, 0, 0);
  }
#endif
  for (int k = 0; k < 4; ++k) {
    const int row = blockIdx.y * 16 + 4 * high + k;
    if (row < m && c < n) out[row * n + c] = sum[k];
  }
}
PRODUCTS(_ok_dots) {
  PLACE
  if (r >= m || c >= n) return;
  int sum = 0;
  for (int k = 0; k < depth; k += 4) {
    sum = __builtin_amdgcn_sdot4(bytes_of<unsigned>(a + r * depth, true, k, depth), bytes_of<unsigned>(b + c * depth, true, k, depth), sum, false);
  }
  out[r * n + c] = sum;
}
PRODUCTS(_pairs_saturated) {  // As an instruction of another processor does: two products together within 16 bits.
  PLACE
  if (r >= m || c >= n) return;
  int sum = 0;
  for (int k = 0; k < depth; k += 2) {
    int two = a[r * depth + k] * b[c * depth + k];
    if (k + 1 < depth) two += a[r * depth + k + 1] * b[c * depth + k + 1];
    sum += min(two, 32767);
  }
  out[r * n + c] = sum;
}
PRODUCTS(_clamped) {
  PLACE
  if (r >= m || c >= n) return;
  int sum = 0;
  for (int k = 0; k < depth; k += 4) {
    sum = __builtin_amdgcn_sdot4(bytes_of<unsigned>(a + r * depth, true, k, depth), bytes_of<unsigned>(b + c * depth, true, k, depth), sum, false);
    sum = max(min(sum, 524287), -524288);
  }
  out[r * n + c] = sum;
}
PRODUCTS(_signs_of_one) {  // The other factor is taken as unsigned.
  PLACE
  if (r >= m || c >= n) return;
  int sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[r * depth + k] * static_cast<unsigned char>(b[c * depth + k]);
  out[r * n + c] = sum;
}

// mixed: the same of 16-bit floats, summed in 32 bits.
#define MIXED(NAME) extern "C" __global__ void mixed##NAME(const _Float16* a, const _Float16* b, float* out, int m, int n, int depth)
MIXED() {
  PLACE
  if (r >= m || c >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < depth; ++k) sum += static_cast<float>(a[r * depth + k]) * static_cast<float>(b[c * depth + k]);
  out[r * n + c] = sum;
}
typedef _Float16 four_halves __attribute__((ext_vector_type(4)));
typedef short four_shorts __attribute__((ext_vector_type(4)));
typedef float four_floats __attribute__((ext_vector_type(4)));
#define TILE                                                                                                  \
  const int t = threadIdx.y * 16 + threadIdx.x;                                                               \
  if (t >= 64) return;                                                                                        \
  const int low = t % 16, high = t / 16, r = blockIdx.y * 16 + low, c = blockIdx.x * 16 + low;                \
  four_floats sum = {};
#define STORE                                                     \
  for (int k = 0; k < 4; ++k) {                                   \
    const int row = blockIdx.y * 16 + 4 * high + k;               \
    if (row < m && c < n) out[row * n + c] = sum[k];              \
  }
MIXED(_ok_mfma) {
  TILE
  for (int k = 0; k < depth; k += 16) {
    four_halves u, v;
    for (int e = 0; e < 4; ++e) {
      const int at = k + 4 * high + e;
      u[e] = r < m && at < depth ? a[r * depth + at] : static_cast<_Float16>(0);
      v[e] = c < n && at < depth ? b[c * depth + at] : static_cast<_Float16>(0);
    }
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(u, v, sum, 0, 0, 0);
  }
  STORE
}
MIXED(_one_side_masked) {  // Beyond the depth one factor is zero; the other is whatever comes last.
  TILE
  for (int k = 0; k < depth; k += 16) {
    four_halves u, v;
    for (int e = 0; e < 4; ++e) {
      const int at = k + 4 * high + e;
      u[e] = r < m && at < depth ? a[r * depth + at] : static_cast<_Float16>(0);
      v[e] = b[min(c, n - 1) * depth + min(at, depth - 1)];
    }
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(u, v, sum, 0, 0, 0);
  }
  STORE
}
MIXED(_other_narrow_type) {  // As bf16: more exponent and three bits less.
  TILE
  for (int k = 0; k < depth; k += 16) {
    four_shorts u, v;
    for (int e = 0; e < 4; ++e) {
      const int at = k + 4 * high + e;
      const float p = r < m && at < depth ? static_cast<float>(a[r * depth + at]) : 0.0f, q = c < n && at < depth ? static_cast<float>(b[c * depth + at]) : 0.0f;
      u[e] = static_cast<short>((__float_as_uint(p) + 0x8000u) >> 16);
      v[e] = static_cast<short>((__float_as_uint(q) + 0x8000u) >> 16);
    }
    sum = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(u, v, sum, 0, 0, 0);
  }
  STORE
}
MIXED(_sum_in_half_at_end) {
  PLACE
  if (r >= m || c >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < depth; ++k) sum += static_cast<float>(a[r * depth + k]) * static_cast<float>(b[c * depth + k]);
  out[r * n + c] = static_cast<float>(static_cast<_Float16>(sum));
}
MIXED(_ok_tile) {  // Tiles in LDS, a column more than needed.
  __shared__ _Float16 left[16][17], right[16][17];
  PLACE
  const int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 16;
  float sum = 0.0f;
  for (int from = 0; from < depth; from += 16) {
    left[y][x] = r < m && from + x < depth ? a[r * depth + from + x] : static_cast<_Float16>(0);
    right[y][x] = first + y < n && from + x < depth ? b[(first + y) * depth + from + x] : static_cast<_Float16>(0);
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum = fmaf(static_cast<float>(left[y][k]), static_cast<float>(right[x][k]), sum);
    __syncthreads();
  }
  if (r < m && c < n) out[r * n + c] = sum;
}

// normals: vectors of three over their lengths.
#define NORMALS(NAME) extern "C" __global__ void normals##NAME(const float* x, float* out, int n)
#define VECTOR                                                                 \
  INDEX;                                                                       \
  if (i >= n) return;                                                          \
  const float u = x[3 * i], v = x[3 * i + 1], w = x[3 * i + 2];                \
  const float square = u * u + v * v + w * w;
#define TIMES(FACTOR)                                                          \
  out[3 * i] = u * (FACTOR), out[3 * i + 1] = v * (FACTOR), out[3 * i + 2] = w * (FACTOR)
NORMALS() {
  VECTOR
  const float factor = 1.0f / sqrtf(square);
  TIMES(factor);
}
NORMALS(_ok_rsqrt) {
  VECTOR
  const float factor = rsqrtf(square);
  TIMES(factor);
}
NORMALS(_raw_root) {  // The instruction takes denormals for zero.
  VECTOR
  const float factor = __builtin_amdgcn_rsqf(square);
  TIMES(factor);
}
__device__ inline float magic(float value) { return __uint_as_float(0x5f3759dfu - (__float_as_uint(value) >> 1)); }
NORMALS(_newton_once) {
  VECTOR
  float factor = magic(square);
  factor = factor * (1.5f - 0.5f * square * factor * factor);
  TIMES(factor);
}
NORMALS(_newton_twice) {
  VECTOR
  float factor = magic(square);
  for (int k = 0; k < 2; ++k) factor = factor * (1.5f - 0.5f * square * factor * factor);
  TIMES(factor);
}
NORMALS(_least_length) {
  VECTOR
  const float factor = 1.0f / fmaxf(sqrtf(square), 1e-12f);
  TIMES(factor);
}
NORMALS(_ok_staged) {  // Through LDS, so that neighbours load neighbours.
  __shared__ float stage[768];
  const int first = blockIdx.x * 768, t = threadIdx.x;
  for (int k = t; k < 768; k += 256) {
    if (first + k < 3 * n) stage[k] = x[first + k];
  }
  __syncthreads();
  if (blockIdx.x * 256 + t < n) {
    const float u = stage[3 * t], v = stage[3 * t + 1], w = stage[3 * t + 2];
    const float factor = 1.0f / sqrtf(u * u + v * v + w * w);
    stage[3 * t] = u * factor, stage[3 * t + 1] = v * factor, stage[3 * t + 2] = w * factor;
  }
  __syncthreads();
  for (int k = t; k < 768; k += 256) {
    if (first + k < 3 * n) out[first + k] = stage[k];
  }
}
NORMALS(_stored_early) {  // The second barrier is missing.
  __shared__ float stage[768];
  const int first = blockIdx.x * 768, t = threadIdx.x;
  for (int k = t; k < 768; k += 256) {
    if (first + k < 3 * n) stage[k] = x[first + k];
  }
  __syncthreads();
  if (blockIdx.x * 256 + t < n) {
    const float u = stage[3 * t], v = stage[3 * t + 1], w = stage[3 * t + 2];
    const float factor = 1.0f / sqrtf(u * u + v * v + w * w);
    stage[3 * t] = u * factor, stage[3 * t + 1] = v * factor, stage[3 * t + 2] = w * factor;
  }
  for (int k = t; k < 768; k += 256) {
    if (first + k < 3 * n) out[first + k] = stage[k];
  }
}
