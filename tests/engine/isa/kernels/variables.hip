// SPDX-License-Identifier: MIT
// Variables of every kind that debug information describes, in a kernel whose results are not looked at.
#include <hip/hip_runtime.h>

enum class Kind { none, first = 3, second };
struct Point {
  float x, y;
  int tag;
};
struct Pair : Point {
  int n[2];
  const Point* other;
};
union Bits {
  float f;
  unsigned u;
};
struct Flags {
  unsigned a : 3;
  unsigned b : 5;
  int rest;
};
typedef unsigned int word;

__device__ int counter = 7;
namespace tables {
__constant__ float steps[4] = {1, 2, 3, 4};
}

template <typename T>
__device__ T sum_of(const T* row, int columns) {
  T sum = 0;
  for (int i = 0; i < columns; ++i) {
    const T value = row[i];
    sum += value * value;
  }
  return sum;
}

__device__ __attribute__((noinline)) float walk(const int* where, int length) {
  int own[16];
  for (int i = 0; i < 16; ++i) own[i] = i * where[0];
  float total = 0;
  for (int i = 0; i < length; ++i) total += own[(i + where[1]) & 15];
  return total;
}

template <typename T, int N>
__global__ void scale(const T* in, T* out, int rows, int columns, Pair pair) {
  __shared__ T tile[64];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const T* x = in + row * columns;
  Point point{pair.x * row, pair.y, row};
  const Kind kind = row > 2 ? Kind::first : Kind::none;
  Bits bits;
  bits.f = static_cast<float>(x[0]);
  const Flags flags{1, 2, row};
  const word mask = bits.u & 0xff;
  float grid[3][4];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) grid[(i + pair.n[1]) % 3][j] = i * j + row;
  tile[threadIdx.x & 63] = x[0];
  __syncthreads();
  const T sum = sum_of(x, columns) + tile[(threadIdx.x + 1) & 63];
  const double wide = sum * 2.0 + N;
  atomicAdd(&counter, 1);
  const float walked = walk(pair.n, columns) + grid[pair.n[0]][row & 3];
  for (int i = 0; i < columns; ++i) {
    const T scaled = x[i] / sum + point.x * point.tag + tables::steps[i & 3] + int(kind);
    out[row * columns + i] = scaled + wide + walked + mask + flags.b + flags.rest;
  }
}
template __global__ void scale<float, 4>(const float*, float*, int, int, Pair);
