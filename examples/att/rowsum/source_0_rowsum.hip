// Sums pairs of rows, as an example: it was never compiled.
#include "pair.h"







__global__ void rowsum(const float* in, float* out, int rows) {
  __shared__ float tile[256];
  const float* row = in;
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < rows; ++i) {
    const float2 a = load(row, lane);
    const float2 b = load(row + 128, lane);
    row += 256;
    const float left = add(a);
    const float right = add(b);
    sum = mfma(left, right, sum);
    keep(a);
  }
  tile[lane] = sum;
  __syncthreads();
  const float all = tile[lane];
  out[lane] = all;
}


