// SPDX-License-Identifier: MIT
// The program of `rpl tutorial`: the Euclidean norm of each row of a matrix that is stored by columns, one work-item a row. Checks its own result.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void row_norms(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int column = 0; column < columns; ++column) {
    float value = in[(size_t)column * rows + row];
    sum += value * value;
  }
  out[row] = sqrtf(sum);
}

int main() {
  const int rows = 1000, columns = 256;
  std::vector<float> in(rows * columns), out(rows);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7) - 3.0f;

  float *device_in = nullptr, *device_out = nullptr;
  if (hipMalloc(&device_in, in.size() * sizeof(float)) != hipSuccess) return 1;
  if (hipMalloc(&device_out, out.size() * sizeof(float)) != hipSuccess) return 1;
  if (hipMemcpy(device_in, in.data(), in.size() * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) return 1;
  row_norms<<<(rows + 63) / 64, 64>>>(device_in, device_out, rows, columns);
  if (hipMemcpy(out.data(), device_out, out.size() * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) return 1;

  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int column = 0; column < columns; ++column) sum += std::pow(in[static_cast<size_t>(column) * rows + row], 2);
    if (std::abs(out[row] - std::sqrt(sum)) > 1e-3) {
      std::printf("row %d is wrong: %g instead of %g\n", row, out[row], std::sqrt(sum));
      return 1;
    }
  }
  std::printf("%d norms are right\n", rows);
  return 0;
}
