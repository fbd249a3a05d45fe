// SPDX-License-Identifier: MIT
// Two kernels one after the other, each walking rows with one work-item a row. The first has most of the time; once it is faster, the second has.
#include "host.h"

__global__ void row_norms(const float* x, float* norms, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + i] * x[row * columns + i];
  norms[row] = sum;
}

__global__ void row_peaks(const float* x, float* peaks, int rows, int columns, int first) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float peak = 0.0f;
  for (int i = first; i < columns; ++i) peak = fmaxf(peak, fabsf(x[row * columns + i]));
  peaks[row] = peak;
}

int main() {
  constexpr int kRows = 256, kColumns = 384, kFirst = 128;
  std::vector<float> x(kRows * kColumns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = noise(i);
  const Array<float> x_d(x), norms(kRows), peaks(kRows);
  row_norms<<<dim3(kRows / 64), dim3(64)>>>(x_d.get(), norms.get(), kRows, kColumns);
  row_peaks<<<dim3(kRows / 64), dim3(64)>>>(x_d.get(), peaks.get(), kRows, kColumns, kFirst);
  CHECK(hipGetLastError());
  const std::vector<float> norm = norms.read(), peak = peaks.read();
  std::size_t wrong = 0;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    float most = 0;
    for (int i = 0; i < kColumns; ++i) {
      const float value = x[row * kColumns + i];
      sum += double{value} * value;
      if (i >= kFirst) most = std::max(most, std::abs(value));
    }
    wrong += !close(norm[row], sum, 1e-5) + (peak[row] != most);
  }
  return verdict("row_features", wrong, std::size_t{2} * kRows);
}
