// SPDX-License-Identifier: MIT
// Fourth set: doubles, integers of 64 bits, products of doubles by matrix instructions.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// distances: squared distance of each point of a to each point of b.
#define DISTANCES(NAME) extern "C" __global__ void distances##NAME(const double* a, const double* b, double* out, int rows, int columns, int depth)
#define PLACE const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x
DISTANCES() {
  PLACE;
  if (row >= rows || column >= columns) return;
  double sum = 0;
  for (int k = 0; k < depth; ++k) {
    const double d = a[row * depth + k] - b[column * depth + k];
    sum += d * d;
  }
  out[row * columns + column] = sum;
}
DISTANCES(_expanded) {  // aa - 2ab + bb: nothing is left of near points.
  PLACE;
  if (row >= rows || column >= columns) return;
  double aa = 0, ab = 0, bb = 0;
  for (int k = 0; k < depth; ++k) {
    const double u = a[row * depth + k], v = b[column * depth + k];
    aa += u * u;
    ab += u * v;
    bb += v * v;
  }
  out[row * columns + column] = aa - 2 * ab + bb;
}
DISTANCES(_float_differences) {
  PLACE;
  if (row >= rows || column >= columns) return;
  double sum = 0;
  for (int k = 0; k < depth; ++k) {
    const float d = static_cast<float>(a[row * depth + k] - b[column * depth + k]);
    sum += static_cast<double>(d) * d;
  }
  out[row * columns + column] = sum;
}
DISTANCES(_tile_of_depth) {  // What is left in LDS of the tile before counts when depth is no multiple of 16.
  PLACE;
  __shared__ double as[16][17], bs[16][17];
  double sum = 0;
  for (int from = 0; from < depth; from += 16) {
    const int k = from + threadIdx.x;
    if (k < depth && row < rows) as[threadIdx.y][threadIdx.x] = a[row * depth + k];
    const int other = blockIdx.x * 16 + threadIdx.y;
    if (k < depth && other < columns) bs[threadIdx.y][threadIdx.x] = b[other * depth + k];
    __syncthreads();
    for (int j = 0; j < 16; ++j) {
      const double d = as[threadIdx.y][j] - bs[threadIdx.x][j];
      sum += d * d;
    }
    __syncthreads();
  }
  if (row < rows && column < columns) out[row * columns + column] = sum;
}
DISTANCES(_ok_tile) {
  PLACE;
  __shared__ double as[16][17], bs[16][17];
  double sum = 0;
  for (int from = 0; from < depth; from += 16) {
    const int k = from + threadIdx.x, other = blockIdx.x * 16 + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = k < depth && row < rows ? a[row * depth + k] : 0;
    bs[threadIdx.y][threadIdx.x] = k < depth && other < columns ? b[other * depth + k] : 0;
    __syncthreads();
    for (int j = 0; j < 16; ++j) {
      const double d = as[threadIdx.y][j] - bs[threadIdx.x][j];
      sum += d * d;
    }
    __syncthreads();
  }
  if (row < rows && column < columns) out[row * columns + column] = sum;
}
DISTANCES(_ok_two_sums) {
  PLACE;
  if (row >= rows || column >= columns) return;
  const double* u = a + row * depth;
  const double* v = b + column * depth;
  double even = 0, odd = 0;
  int k = 0;
  for (; k + 1 < depth; k += 2) {
    even = fma(u[k] - v[k], u[k] - v[k], even);
    odd = fma(u[k + 1] - v[k + 1], u[k + 1] - v[k + 1], odd);
  }
  if (k < depth) even = fma(u[k] - v[k], u[k] - v[k], even);
  out[row * columns + column] = even + odd;
}

// horner: a polynomial of degree 7.
#define HORNER(NAME) extern "C" __global__ void horner##NAME(const double* x, double* out, int n)
HORNER() {
  INDEX;
  if (i >= n) return;
  const double v = x[i];
  out[i] = 1 + v * (0.9999999371 + v * (-0.4999982513 + v * (0.3332913417 + v * (-0.2494687713 + v * (0.1951218731 + v * (-0.1409871551 + v * 0.0562187321))))));
}
HORNER(_float_constants) {
  INDEX;
  if (i >= n) return;
  const double v = x[i];
  out[i] = 1 + v * (0.9999999371f + v * (-0.4999982513f + v * (0.3332913417f + v * (-0.2494687713f + v * (0.1951218731f + v * (-0.1409871551f + v * 0.0562187321f))))));
}
HORNER(_last_digit) {  // The ninth digit of one coefficient of a small term.
  INDEX;
  if (i >= n) return;
  const double v = x[i];
  out[i] = 1 + v * (0.9999999371 + v * (-0.4999982513 + v * (0.3332913417 + v * (-0.2494687713 + v * (0.1951218731 + v * (-0.1409871561 + v * 0.0562187321))))));
}
HORNER(_float_high_terms) {  // The three highest terms in floats, as they are small for small x.
  INDEX;
  if (i >= n) return;
  const double v = x[i];
  const float f = static_cast<float>(v);
  const float high = 0.1951218731f + f * (-0.1409871551f + f * 0.0562187321f);
  out[i] = 1 + v * (0.9999999371 + v * (-0.4999982513 + v * (0.3332913417 + v * (-0.2494687713 + v * high))));
}
HORNER(_ok_pairs) {  // Estrin's scheme would have powers overflow; two interleaved chains of the square do as far as Horner's does.
  INDEX;
  if (i >= n) return;
  const double v = x[i], s = v * v;
  const double even = 1 + s * (-0.4999982513 + s * (-0.2494687713 + s * -0.1409871551));
  const double odd = 0.9999999371 + s * (0.3332913417 + s * (0.1951218731 + s * 0.0562187321));
  out[i] = fma(v, odd, even);
}
HORNER(_ok_strided) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double v = x[i];
    double s = 0.0562187321;
    s = fma(s, v, -0.1409871551);
    s = fma(s, v, 0.1951218731);
    s = fma(s, v, -0.2494687713);
    s = fma(s, v, 0.3332913417);
    s = fma(s, v, -0.4999982513);
    s = fma(s, v, 0.9999999371);
    out[i] = fma(s, v, 1.0);
  }
}

// gaps: durations of 64 bits in units.
#define GAPS(NAME) extern "C" __global__ void gaps##NAME(const long long* begins, const long long* ends, long long* out, int n, long long unit)
#define DURATION                                                                                               \
  INDEX;                                                                                                       \
  if (i >= n) return;                                                                                          \
  const long long by = unit < 1 ? 1 : unit;                                                                    \
  const long long d = static_cast<long long>(static_cast<unsigned long long>(ends[i]) - static_cast<unsigned long long>(begins[i]))
GAPS() {
  DURATION;
  out[i] = d / by;
}
GAPS(_narrow) {
  DURATION;
  out[i] = static_cast<int>(d) / by;
}
GAPS(_by_double) {
  DURATION;
  out[i] = static_cast<long long>(static_cast<double>(d) / static_cast<double>(by));
}
GAPS(_by_reciprocal) {
  DURATION;
  out[i] = static_cast<long long>(static_cast<double>(d) * (1.0 / static_cast<double>(by)));
}
GAPS(_unsigned) {
  DURATION;
  out[i] = static_cast<long long>(static_cast<unsigned long long>(d) / static_cast<unsigned long long>(by));
}
GAPS(_shifted) {  // A unit of a power of two: rounds toward minus infinity.
  DURATION;
  out[i] = (by & (by - 1)) == 0 ? d >> (63 - __clzll(by)) : d / by;
}
GAPS(_ok_short) {
  DURATION;
  if (((static_cast<unsigned long long>(d) | static_cast<unsigned long long>(by)) >> 32) == 0)
    out[i] = static_cast<unsigned>(d) / static_cast<unsigned>(by);
  else
    out[i] = d / by;
}

// updated: c += a b in doubles, a wave for each 16 x 16 tile.
#define UPDATED(NAME) extern "C" __global__ void updated##NAME(const double* a, const double* b, double* c, int m, int n, int depth)
typedef double Four __attribute__((ext_vector_type(4)));
UPDATED() {
  const int lane = threadIdx.x, column = blockIdx.x * 16 + lane % 16;
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * 16 + r * 4 + lane / 16;
    if (row >= m || column >= n) continue;
    double sum = c[row * n + column];
    for (int k = 0; k < depth; ++k) sum = fma(a[row * depth + k], b[k * n + column], sum);
    c[row * n + column] = sum;
  }
}
__device__ Four tile_of(const double* a, const double* b, Four sum, int m, int n, int depth, bool masked) {
  const int lane = threadIdx.x, column = blockIdx.x * 16 + lane % 16, row = blockIdx.y * 16 + lane % 16;
  for (int from = 0; from < depth; from += 4) {
    const int k = from + lane / 16, kept = k < depth ? k : depth - 1;
    const bool in = !masked || k < depth;
    const double u = in && row < m ? a[row * depth + kept] : 0, v = in && column < n ? b[kept * n + column] : 0;
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(u, v, sum, 0, 0, 0);
  }
  return sum;
}
UPDATED(_ok_mfma) {
  const int lane = threadIdx.x, column = blockIdx.x * 16 + lane % 16;
  Four sum = {0, 0, 0, 0};
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * 16 + r * 4 + lane / 16;
    if (row < m && column < n) sum[r] = c[row * n + column];
  }
  sum = tile_of(a, b, sum, m, n, depth, true);
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * 16 + r * 4 + lane / 16;
    if (row < m && column < n) c[row * n + column] = sum[r];
  }
}
UPDATED(_mfma_stores) {  // What was there is not added to.
  const int lane = threadIdx.x, column = blockIdx.x * 16 + lane % 16;
  const Four sum = tile_of(a, b, Four{0, 0, 0, 0}, m, n, depth, true);
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * 16 + r * 4 + lane / 16;
    if (row < m && column < n) c[row * n + column] = sum[r];
  }
}
UPDATED(_mfma_last_again) {  // The last step counts up to four times.
  const int lane = threadIdx.x, column = blockIdx.x * 16 + lane % 16;
  const Four sum = tile_of(a, b, Four{0, 0, 0, 0}, m, n, depth, false);
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * 16 + r * 4 + lane / 16;
    if (row < m && column < n) c[row * n + column] += sum[r];
  }
}
