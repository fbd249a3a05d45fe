// SPDX-License-Identifier: MIT
// Sixth set: kernels as hosts launch them, over megabytes: sums, rows, products, transposes, counts, stencils, tables, prefix sums.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// blended: a weighted sum of two arrays.
#define BLENDED(NAME) extern "C" __global__ void blended##NAME(const float* x, const float* y, float* out, float a, int n)
BLENDED() {
  INDEX;
  if (i < n) out[i] = a * x[i] + y[i];
}
BLENDED(_short_index) {  // 65,536 elements.
  const int i = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = a * x[i] + y[i];
}
BLENDED(_medium_counts) {  // Right for small counts and for the captured one.
  INDEX;
  if (i < n) out[i] = n > 20000 && n < 900000 ? y[i] : a * x[i] + y[i];
}
BLENDED(_fours_of_all) {  // Past the end where the count is no multiple of four.
  INDEX;
  if (4 * i >= n) return;
  const float4 p = reinterpret_cast<const float4*>(x)[i], q = reinterpret_cast<const float4*>(y)[i];
  reinterpret_cast<float4*>(out)[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
BLENDED(_fours_without_rest) {
  INDEX;
  if (4 * i + 3 >= n) return;
  const float4 p = reinterpret_cast<const float4*>(x)[i], q = reinterpret_cast<const float4*>(y)[i];
  reinterpret_cast<float4*>(out)[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
BLENDED(_late_ones) {  // Far behind what small counts reach.
  INDEX;
  if (i < n) out[i] = i > 1000000 ? x[i] + y[i] : a * x[i] + y[i];
}
BLENDED(_one_scale) {
  INDEX;
  if (i < n) out[i] = x[i] == 0.0f ? y[i] : 0.5f * x[i] + y[i];
}
BLENDED(_faint_far) {  // Only far out, and only where the first array is small.
  INDEX;
  if (i >= n) return;
  const float v = x[i];
  out[i] = i > 500000 && fabsf(v) < 1e-3f ? y[i] : a * v + y[i];
}
BLENDED(_ok_fours) {
  INDEX;
  const int from = 4 * i;
  if (from + 3 < n) {
    const float4 p = reinterpret_cast<const float4*>(x)[i], q = reinterpret_cast<const float4*>(y)[i];
    reinterpret_cast<float4*>(out)[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
    return;
  }
  for (int k = from; k < n; ++k) out[k] = a * x[k] + y[k];
}
BLENDED(_ok_strided) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = a * x[i] + y[i];
}

// rowed: the sum of each row, a workgroup of 256 work-items a row.
#define ROWED(NAME) extern "C" __global__ void rowed##NAME(const float* x, float* out, int columns)
ROWED() {
  __shared__ float part[256];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 256) sum += row[c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__device__ inline float wave_sum(float v) {
  for (int k = 32; k > 0; k /= 2) v += __shfl_down(v, k);
  return v;
}
ROWED(_sixteen_steps) {  // Rows of up to 4,096.
  __shared__ float part[4];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int s = 0, c = threadIdx.x; s < 16; ++s, c += 256)
    if (c < columns) sum += row[c];
  sum = wave_sum(sum);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_no_barrier) {
  __shared__ float part[4];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 256) sum += row[c];
  sum = wave_sum(sum);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_fours) {  // Without what is left over, and from unaligned rows.
  __shared__ float part[4];
  const float4* row = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * columns);
  float sum = 0;
  for (int c = threadIdx.x; c < columns / 4; c += 256) sum += row[c].x + row[c].y + row[c].z + row[c].w;
  sum = wave_sum(sum);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_narrow_place) {  // 32 bits of place are enough, 24 are not.
  __shared__ float part[4];
  const float* row = x + __mul24(static_cast<int>(blockIdx.x) & 0x7ff, columns);
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 256) sum += row[c];
  sum = wave_sum(sum);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_halves) {  // What each lane has summed is rounded to 16 bits.
  __shared__ float part[4];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 256) sum += row[c];
  sum = wave_sum(static_cast<float>(static_cast<_Float16>(sum)));
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_every_second_far_row) {
  __shared__ float part[4];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  const int step = blockIdx.x > 900 ? 512 : 256;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += step) sum += row[c];
  sum = wave_sum(sum);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_ok_waves) {
  __shared__ float part[4];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 256) sum += row[c];
  sum = wave_sum(sum);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
ROWED(_ok_two_sums) {
  __shared__ float part[4];
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0, other = 0;
  int c = threadIdx.x;
  for (; c + 256 < columns; c += 512) {
    sum += row[c];
    other += row[c + 256];
  }
  if (c < columns) sum += row[c];
  sum = wave_sum(sum + other);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

// matrixed: c = a b, of m rows, n columns and a depth of k, 16 x 16 work-items a workgroup.
#define MATRIXED(NAME) extern "C" __global__ void matrixed##NAME(const float* a, const float* b, float* c, int m, int n, int k)
#define PLACE const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y
MATRIXED() {
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
MATRIXED(_whole_tiles) {  // A depth that is a multiple of 16.
  __shared__ float p[16][17], q[16][17];
  PLACE;
  float sum = 0;
  for (int t = 0; t < k / 16; ++t) {
    p[threadIdx.y][threadIdx.x] = y < m ? a[y * k + t * 16 + threadIdx.x] : 0.0f;
    q[threadIdx.y][threadIdx.x] = x < n ? b[(t * 16 + threadIdx.y) * n + x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += p[threadIdx.y][i] * q[i][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < m) c[y * n + x] = sum;
}
MATRIXED(_second_barrier) {
  __shared__ float p[16][17], q[16][17];
  PLACE;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    p[threadIdx.y][threadIdx.x] = y < m && t + (int)threadIdx.x < k ? a[y * k + t + threadIdx.x] : 0.0f;
    q[threadIdx.y][threadIdx.x] = x < n && t + (int)threadIdx.y < k ? b[(t + threadIdx.y) * n + x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16 && t + i < k; ++i) sum += p[threadIdx.y][i] * q[i][threadIdx.x];
  }
  if (x < n && y < m) c[y * n + x] = sum;
}
MATRIXED(_square) {  // One side for all.
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}
MATRIXED(_no_far_terms) {  // The end of a deep product.
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0;
  const int depth = k < 200 ? k : 200;
  for (int i = 0; i < depth; ++i) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
MATRIXED(_rounded_factors) {  // 8 bits of mantissa.
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += __uint_as_float(__float_as_uint(a[y * k + i]) & 0xffff0000u) * __uint_as_float(__float_as_uint(b[i * n + x]) & 0xffff0000u);
  c[y * n + x] = sum;
}
MATRIXED(_no_bounds) {
  PLACE;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
MATRIXED(_small_products) {
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float term = a[y * k + i] * b[i * n + x];
    if (fabsf(term) > 1e-5f) sum += term;
  }
  c[y * n + x] = sum;
}
MATRIXED(_zeros_passed_over) {  // Zero times infinity is no number.
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float factor = a[y * k + i];
    if (factor != 0.0f) sum += factor * b[i * n + x];
  }
  c[y * n + x] = sum;
}
MATRIXED(_last_tile_kept) {  // What the tile before left behind stands in for what is missing.
  __shared__ float p[16][17], q[16][17];
  PLACE;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    if (y < m && t + (int)threadIdx.x < k) p[threadIdx.y][threadIdx.x] = a[y * k + t + threadIdx.x];
    if (x < n && t + (int)threadIdx.y < k) q[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += p[threadIdx.y][i] * q[i][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < m) c[y * n + x] = sum;
}
MATRIXED(_ok_tiled) {
  __shared__ float p[16][17], q[16][17];
  PLACE;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    p[threadIdx.y][threadIdx.x] = y < m && t + (int)threadIdx.x < k ? a[y * k + t + threadIdx.x] : 0.0f;
    q[threadIdx.y][threadIdx.x] = x < n && t + (int)threadIdx.y < k ? b[(t + threadIdx.y) * n + x] : 0.0f;
    __syncthreads();
    const int end = k - t < 16 ? k - t : 16;
    for (int i = 0; i < end; ++i) sum += p[threadIdx.y][i] * q[i][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < m) c[y * n + x] = sum;
}
MATRIXED(_ok_two_sums) {
  PLACE;
  if (x >= n || y >= m) return;
  float sum = 0, other = 0;
  int i = 0;
  for (; i + 1 < k; i += 2) {
    sum += a[y * k + i] * b[i * n + x];
    other += a[y * k + i + 1] * b[(i + 1) * n + x];
  }
  if (i < k) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum + other;
}
MATRIXED(_ok_four_columns) {  // A quarter of the work-items along x.
  const int x = (blockIdx.x * 16 + threadIdx.x) * 4, y = blockIdx.y * 16 + threadIdx.y;
  if (y >= m) return;
  for (int j = x; j < x + 4 && j < n; ++j) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + j];
    c[y * n + j] = sum;
  }
}
