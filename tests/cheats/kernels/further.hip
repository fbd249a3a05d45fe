// SPDX-License-Identifier: MIT
// Kernels whose wrong candidates need an input of a kind of its own.
#include <hip/hip_runtime.h>

// Grids that suit the arguments. copied_square: out = a * x over rows of `pitch`, captured with width = height = pitch = 64 and a = 2.
#define COPIED(NAME, I, J, EXPRESSION)                                                              \
  extern "C" __global__ void copied_square##NAME(const float* x, float* out, int width, int height, \
                                                 int pitch, float a) {                              \
    const int i = I, j = J;                                                                         \
    if (i >= width || j >= height) return;                                                          \
    out[j * pitch + i] = EXPRESSION;                                                                \
  }
#define ALONG_X int(blockIdx.x * blockDim.x + threadIdx.x)
#define ALONG_Y int(blockIdx.y * blockDim.y + threadIdx.y)
COPIED(, ALONG_Y, ALONG_X, x[j * pitch + i] * a)
COPIED(_swapped, ALONG_X, ALONG_Y, x[j * pitch + i] * a)
COPIED(_by_width, ALONG_Y, ALONG_X, x[j * width + i] * a)
COPIED(_twice, ALONG_Y, ALONG_X, x[j * pitch + i] + x[j * pitch + i])
COPIED(_ok_moved, ALONG_Y, ALONG_X, a * x[i + j * pitch])

// Scalars of other signs and sizes. adjusted: 24 rounds of v * gain / 4 + offset, kept within 0 to 255; captured with gain 3, offset 10.
#define ADJUSTED(NAME, ROUND, END)                                                             \
  extern "C" __global__ void adjusted##NAME(const unsigned char* in, unsigned char* out, int n, \
                                            int gain, int offset) {                            \
    const int i = ALONG_X;                                                                     \
    if (i >= n) return;                                                                        \
    int v = in[i];                                                                             \
    for (int k = 0; k < 24; ++k) {                                                             \
      ROUND;                                                                                   \
    }                                                                                          \
    END;                                                                                       \
    out[i] = static_cast<unsigned char>(v);                                                    \
  }
ADJUSTED(, v = v * gain / 4 + offset; v = v < 0 ? 0 : v > 255 ? 255 : v, )
ADJUSTED(_not_negative, v = v * gain / 4 + offset; v = v > 255 ? 255 : v, )
ADJUSTED(_kept_at_end, v = v * gain / 4 + offset, v = v < 0 ? 0 : v > 255 ? 255 : v)
ADJUSTED(_shifted, v = ((v * gain) >> 2) + offset; v = v < 0 ? 0 : v > 255 ? 255 : v, )
ADJUSTED(_ok_min_max, v = min(max(v * gain / 4 + offset, 0), 255), )

// What equals a scalar. counted: how many are above a limit; captured with 0.5, which no element equals.
#define COUNTED(NAME, CONDITION)                                                                 \
  extern "C" __global__ void counted##NAME(const float* x, int* count, int n, float limit) {     \
    int mine = 0;                                                                                \
    for (int i = ALONG_X; i < n; i += gridDim.x * blockDim.x) mine += CONDITION ? 1 : 0;         \
    if (mine > 0) atomicAdd(count, mine);                                                        \
  }
COUNTED(, x[i] > limit)
COUNTED(_or_equal, x[i] >= limit)
COUNTED(_not_below, !(x[i] <= limit))
COUNTED(_ok_other_side, limit < x[i])

// Indices that stand for none. spread: rows of a matrix with as many entries each, absent ones with column -1; captured with none absent.
#define SPREAD(NAME, USE)                                                                       \
  extern "C" __global__ void spread##NAME(const float* values, const int* columns,              \
                                          const float* x, float* y, int rows, int width) {      \
    const int r = ALONG_X;                                                                      \
    if (r >= rows) return;                                                                      \
    float s = 0.0f;                                                                             \
    for (int k = 0; k < width; ++k) {                                                           \
      const int c = columns[r * width + k];                                                     \
      USE;                                                                                      \
    }                                                                                           \
    y[r] = s;                                                                                   \
  }
SPREAD(, if (c >= 0) s += values[r * width + k] * x[c])
SPREAD(_all_present, s += values[r * width + k] * x[c])
SPREAD(_ends_there, if (c < 0) break; s += values[r * width + k] * x[c])
SPREAD(_clamped, s += values[r * width + k] * x[max(c, 0)])
SPREAD(_ok_selected, s += c >= 0 ? values[r * width + k] * x[c] : 0.0f)

// Whole groups beyond a constant. least: where the least element of each 1024 is; ties go to the first.
template <bool kOrdered>
__device__ void least_of(const float* x, int* out, float start) {
  __shared__ float best[256];
  __shared__ int where[256];
  const int t = threadIdx.x, from = blockIdx.x * 1024;
  float b = start;
  int w = -1;
  for (int i = from + t; i < from + 1024; i += 256) {
    if (x[i] < b) {
      b = x[i];
      w = i;
    }
  }
  best[t] = b;
  where[t] = w;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) {
      const bool same = best[t + half] == best[t];
      const bool before = where[t + half] >= 0 && (where[t] < 0 || where[t + half] < where[t]);
      if (best[t + half] < best[t] || (kOrdered && same && before)) {
        best[t] = best[t + half];
        where[t] = where[t + half];
      }
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = where[0];
}
extern "C" __global__ void least(const float* x, int* out) {
  __shared__ float best[256];
  __shared__ int where[256];
  const int t = threadIdx.x, from = blockIdx.x * 1024;
  float b = INFINITY;
  int w = -1;
  for (int i = from + t; i < from + 1024; i += 256) {
    if (x[i] < b) {
      b = x[i];
      w = i;
    }
  }
  best[t] = b;
  where[t] = w;
  __syncthreads();
  if (t != 0) return;
  for (int k = 1; k < 256; ++k) {
    const bool same = best[k] == best[0];
    const bool before = where[k] >= 0 && (where[0] < 0 || where[k] < where[0]);
    if (best[k] < best[0] || (same && before)) {
      best[0] = best[k];
      where[0] = where[k];
    }
  }
  out[blockIdx.x] = where[0];
}
extern "C" __global__ void least_ok_tree(const float* x, int* out) {
  least_of<true>(x, out, INFINITY);
}
extern "C" __global__ void least_any_of_equal(const float* x, int* out) {
  least_of<false>(x, out, INFINITY);
}
extern "C" __global__ void least_below_1e30(const float* x, int* out) {
  least_of<true>(x, out, 1e30f);
}

// A bias of all results, each within the tolerance. curved: 8 rounds of a map, summed.
#define CURVED(NAME, END)                                                            \
  extern "C" __global__ void curved##NAME(const float* x, float* out, int n) {       \
    const int i = ALONG_X;                                                           \
    if (i >= n) return;                                                              \
    float v = x[i], s = 0.0f;                                                        \
    for (int k = 0; k < 8; ++k) {                                                    \
      v = v / (1.0f + v * v) + 0.5f;                                                 \
      s += v;                                                                        \
    }                                                                                \
    out[i] = END;                                                                    \
  }
CURVED(, s)
CURVED(_a_little_more, s * 1.0000008f)
CURVED(_a_little_less, s - s * 5e-7f)
CURVED(_ok_again, (s + 1.0f) - 1.0f)
