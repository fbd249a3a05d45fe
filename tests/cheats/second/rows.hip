// SPDX-License-Identifier: MIT
// Second set: sums and maxima of rows. Workgroups of 64, a row for each work-item, unless said otherwise.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define ROW const int row = blockIdx.x * blockDim.x + threadIdx.x

// spreads: the variance of each row, in two passes.
#define SPREADS(NAME) extern "C" __global__ void spreads##NAME(const float* x, float* out, int rows, int columns)
SPREADS() {
  ROW;
  if (row >= rows) return;
  float mean = 0.0f, sum = 0.0f;
  for (int c = 0; c < columns; ++c) mean += x[row * columns + c];
  mean /= columns;
  for (int c = 0; c < columns; ++c) sum += (x[row * columns + c] - mean) * (x[row * columns + c] - mean);
  out[row] = sum / columns;
}
SPREADS(_one_pass) {  // Cancels where the mean is large.
  ROW;
  if (row >= rows) return;
  float mean = 0.0f, squares = 0.0f;
  for (int c = 0; c < columns; ++c) mean += x[row * columns + c], squares += x[row * columns + c] * x[row * columns + c];
  mean /= columns;
  out[row] = squares / columns - mean * mean;
}
SPREADS(_sample) {
  ROW;
  if (row >= rows) return;
  float mean = 0.0f, sum = 0.0f;
  for (int c = 0; c < columns; ++c) mean += x[row * columns + c];
  mean /= columns;
  for (int c = 0; c < columns; ++c) sum += (x[row * columns + c] - mean) * (x[row * columns + c] - mean);
  out[row] = sum / (columns - 1);
}
SPREADS(_ok_kept) {  // Four partial sums in both passes.
  ROW;
  if (row >= rows) return;
  const float* r = x + row * columns;
  float m[4] = {}, s[4] = {};
  int c = 0;
  for (; c + 3 < columns; c += 4) {
    for (int k = 0; k < 4; ++k) m[k] += r[c + k];
  }
  for (; c < columns; ++c) m[0] += r[c];
  const float mean = ((m[0] + m[1]) + (m[2] + m[3])) / columns;
  for (c = 0; c + 3 < columns; c += 4) {
    for (int k = 0; k < 4; ++k) s[k] = fmaf(r[c + k] - mean, r[c + k] - mean, s[k]);
  }
  for (; c < columns; ++c) s[0] = fmaf(r[c] - mean, r[c] - mean, s[0]);
  out[row] = ((s[0] + s[1]) + (s[2] + s[3])) / columns;
}
SPREADS(_ok_wave) {  // A wave for each row: 64 work-items for one.
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  float mean = 0.0f, sum = 0.0f;
  for (int c = lane; c < columns; c += 64) mean += x[row * columns + c];
  for (int mask = 32; mask > 0; mask /= 2) mean += __shfl_xor(mean, mask);
  mean /= columns;
  for (int c = lane; c < columns; c += 64) sum += (x[row * columns + c] - mean) * (x[row * columns + c] - mean);
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) out[row] = sum / columns;
}

// totals: sums of long rows.
#define TOTALS(NAME) extern "C" __global__ void totals##NAME(const float* x, float* out, int rows, int columns)
TOTALS() {
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
  out[row] = sum;
}
TOTALS(_ok_compensated) {
  ROW;
  if (row >= rows) return;
  float sum = 0.0f, lost = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float y = x[row * columns + c] - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  out[row] = sum;
}
TOTALS(_ok_double) {
  ROW;
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
  out[row] = static_cast<float>(sum);
}
TOTALS(_ok_halving) {  // Eight partial sums, added as a tree.
  ROW;
  if (row >= rows) return;
  float part[8] = {};
  int c = 0;
  for (; c + 7 < columns; c += 8) {
    for (int k = 0; k < 8; ++k) part[k] += x[row * columns + c + k];
  }
  for (; c < columns; ++c) part[0] += x[row * columns + c];
  for (int half = 4; half > 0; half /= 2) {
    for (int k = 0; k < half; ++k) part[k] += part[k + half];
  }
  out[row] = part[0];
}
TOTALS(_ok_ahead) {  // The next load is under way while this one is added.
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  if (columns > 0) {
    float next = x[row * columns];
    for (int c = 1; c < columns; ++c) {
      const float now = next;
      next = x[row * columns + c];
      sum += now;
    }
    sum += next;
  }
  out[row] = sum;
}
TOTALS(_no_small) {  // What is small is left out.
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    const float v = x[row * columns + c];
    if (!(fabsf(v) < 1e-5f)) sum += v;
  }
  out[row] = sum;
}
TOTALS(_half_sums) {
  ROW;
  if (row >= rows) return;
  __half sum = __float2half(0.0f);
  for (int c = 0; c < columns; ++c) sum = __hadd(sum, __float2half(x[row * columns + c]));
  out[row] = __half2float(sum);
}
TOTALS(_equal_ends) {  // A row that begins as it ends is taken for a constant one.
  ROW;
  if (row >= rows) return;
  const float* r = x + row * columns;
  if (columns > 2 && r[0] == r[columns - 1] && r[0] == r[columns / 2]) {
    out[row] = r[0] * columns;
    return;
  }
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += r[c];
  out[row] = sum;
}
TOTALS(_most) {  // Two thousand columns at most.
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  const int last = columns < 2000 ? columns : 2000;
  for (int c = 0; c < last; ++c) sum += x[row * columns + c];
  out[row] = sum;
}

// entropies: log of the sum of exponentials.
#define ENTROPIES(NAME) extern "C" __global__ void entropies##NAME(const float* x, float* out, int rows, int columns)
ENTROPIES() {
  ROW;
  if (row >= rows) return;
  float high = -INFINITY, sum = 0.0f;
  for (int c = 0; c < columns; ++c) high = fmaxf(high, x[row * columns + c]);
  for (int c = 0; c < columns; ++c) sum += expf(x[row * columns + c] - high);
  out[row] = high + logf(sum);
}
ENTROPIES(_no_maximum) {
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += expf(x[row * columns + c]);
  out[row] = logf(sum);
}
ENTROPIES(_maximum_of_few) {
  ROW;
  if (row >= rows) return;
  float high = x[row * columns], sum = 0.0f;
  for (int c = 0; c < columns; c += 4) high = fmaxf(high, x[row * columns + c]);
  for (int c = 0; c < columns; ++c) sum += expf(x[row * columns + c] - high);
  out[row] = high + logf(sum);
}
ENTROPIES(_ok_wave) {  // 64 work-items for one.
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
  if (row >= rows) return;
  float high = -INFINITY, sum = 0.0f;
  for (int c = lane; c < columns; c += 64) high = fmaxf(high, x[row * columns + c]);
  for (int mask = 32; mask > 0; mask /= 2) high = fmaxf(high, __shfl_xor(high, mask));
  for (int c = lane; c < columns; c += 64) sum += expf(x[row * columns + c] - high);
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) out[row] = high + logf(sum);
}

// halfdot: products of rows of 16-bit floats, added in 32 bits.
#define HALFDOT(NAME) extern "C" __global__ void halfdot##NAME(const __half* a, const __half* b, float* out, int rows, int columns)
HALFDOT() {
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += __half2float(a[row * columns + c]) * __half2float(b[c]);
  out[row] = sum;
}
HALFDOT(_half_sum) {
  ROW;
  if (row >= rows) return;
  __half sum = __float2half(0.0f);
  for (int c = 0; c < columns; ++c) sum = __hfma(a[row * columns + c], b[c], sum);
  out[row] = __half2float(sum);
}
HALFDOT(_half_products) {
  ROW;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += __half2float(__hmul(a[row * columns + c], b[c]));
  out[row] = sum;
}
typedef _Float16 pair_of_halves __attribute__((ext_vector_type(2)));
HALFDOT(_ok_dot2) {
  ROW;
  if (row >= rows) return;
  const __half* r = a + row * columns;
  float sum = 0.0f;
  int c = 0;
  for (; c + 1 < columns; c += 2) {
    pair_of_halves u, v;
    __builtin_memcpy(&u, r + c, 4);
    __builtin_memcpy(&v, b + c, 4);
    sum = __builtin_amdgcn_fdot2(u, v, sum, false);
  }
  if (c < columns) sum += __half2float(r[c]) * __half2float(b[c]);
  out[row] = sum;
}
HALFDOT(_ok_four_sums) {
  ROW;
  if (row >= rows) return;
  const __half* r = a + row * columns;
  float sum[4] = {};
  int c = 0;
  for (; c + 3 < columns; c += 4) {
    for (int k = 0; k < 4; ++k) sum[k] = fmaf(__half2float(r[c + k]), __half2float(b[c + k]), sum[k]);
  }
  for (; c < columns; ++c) sum[0] = fmaf(__half2float(r[c]), __half2float(b[c]), sum[0]);
  out[row] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// lengths: rows divided by their root mean square; a workgroup of 64 for each row.
#define LENGTHS(NAME) extern "C" __global__ void lengths##NAME(const float* x, float* out, int columns, float epsilon)
LENGTHS() {
  const float* r = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += r[c] * r[c];
  const float scale = 1.0f / sqrtf(sum / columns + epsilon);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[static_cast<size_t>(blockIdx.x) * columns + c] = r[c] * scale;
}
LENGTHS(_no_epsilon) {
  const float* r = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += r[c] * r[c];
  const float scale = 1.0f / sqrtf(sum / columns);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[static_cast<size_t>(blockIdx.x) * columns + c] = r[c] * scale;
}
LENGTHS(_epsilon_known) {
  const float* r = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += r[c] * r[c];
  const float scale = 1.0f / sqrtf(sum / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[static_cast<size_t>(blockIdx.x) * columns + c] = r[c] * scale;
}
LENGTHS(_ok_wave) {
  const float* r = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 64) sum += r[c] * r[c];
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  const float scale = 1.0f / sqrtf(sum / columns + epsilon);
  for (int c = threadIdx.x; c < columns; c += 64) out[static_cast<size_t>(blockIdx.x) * columns + c] = r[c] * scale;
}
LENGTHS(_ok_lds) {
  __shared__ float part[64];
  const float* r = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += r[c] * r[c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  const float scale = 1.0f / sqrtf(part[0] / columns + epsilon);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[static_cast<size_t>(blockIdx.x) * columns + c] = r[c] * scale;
}
LENGTHS(_fast_root) {  // The root to eleven bits, without a step of Newton's.
  const float* r = x + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += r[c] * r[c];
  const float mean = sum / columns + epsilon;
  float scale = __uint_as_float(0x5f3759dfu - (__float_as_uint(mean) >> 1));
  scale *= 1.5f - 0.5f * mean * scale * scale;
  scale *= 1.5f - 0.5f * mean * scale * scale;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[static_cast<size_t>(blockIdx.x) * columns + c] = r[c] * scale;
}
