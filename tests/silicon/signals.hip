// SPDX-License-Identifier: MIT
// Benchmarks of signal processing: a Walsh-Hadamard transform in place, a filter with few taps, a stencil through LDS.
#include "measure.h"

namespace {

using silicon::Point;

__global__ void butterfly(float* values, std::uint32_t step) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t pair = 2 * step * (t / step) + t % step;
  const float a = values[pair], b = values[pair + step];
  values[pair] = a + b;
  values[pair + step] = a - b;
}

void fastwalshtransform(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  float* values = silicon::device_values<float>(n, silicon::noise);
  const auto transform = [&] {
    for (std::uint64_t step = 1; step < n; step *= 2)
      butterfly<<<n / 2 / silicon::kWorkgroup, silicon::kWorkgroup>>>(values, static_cast<std::uint32_t>(step));
  };
  silicon::measure(point, transform);
  if (!point.check) return;
  // Two transforms are n times the identity.
  std::vector<float> expected(n);
  for (std::uint64_t i = 0; i < n; ++i) expected[i] = static_cast<float>(n) * silicon::noise(i);
  silicon::compare(point, silicon::host_copy(values, n), expected, 1e-3F);
}

__global__ void filter(const float* coefficients, const float* input, const float* history, float* out,
                       std::uint32_t taps) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (std::uint32_t i = 0; i < taps; ++i) {
    if (t >= i) {
      sum += coefficients[i] * input[t - i];
    } else {
      sum += coefficients[i] * history[taps - (i - t)];
    }
  }
  out[t] = sum;
}

void fir(const Point& point) {
  const std::uint64_t n = point.numbers().at(0), taps = point.numbers().at(1);
  const float* coefficients = silicon::device_values<float>(taps, [](std::uint64_t i) { return silicon::noise(11 * i); });
  const float* input = silicon::device_values<float>(n, silicon::noise);
  const float* history = silicon::device_copy(std::vector<float>(taps, 0.0F));
  float* out = silicon::device<float>(n);
  silicon::measure(point, [&] {
    filter<<<n / silicon::kWorkgroup, silicon::kWorkgroup>>>(coefficients, input, history, out,
                                                             static_cast<std::uint32_t>(taps));
  });
  if (!point.check) return;
  std::vector<float> expected(n);
  for (std::uint64_t t = 0; t < n; ++t) {
    for (std::uint64_t i = 0; i < taps && i <= t; ++i)
      expected[t] += silicon::noise(11 * i) * silicon::noise(t - i);
  }
  silicon::compare(point, silicon::host_copy(out, n), expected, 1e-3F);
}

constexpr std::uint32_t kRows = 16, kColumns = 64, kHalo = 1;

/// Nine points for each of 16 rows of one column; 18 x 66 floats of LDS. The matrices have a frame of one element; pitches are in floats.
__global__ void nine_points(const float* in, float* out, std::uint32_t pitch, float center, float side,
                            float corner) {
  __shared__ float tile[kRows + 2][kColumns + 2];
  const std::uint32_t column = threadIdx.y, top = blockIdx.x * kRows, left = blockIdx.y * kColumns;
  const float* from = in + std::uint64_t{top} * pitch + left;
  // All loads first: the compiler leaves each where it stands before the store to LDS that needs it.
  float inner[kRows + 2], edge[kRows + 2];
#pragma unroll
  for (std::uint32_t row = 0; row < kRows + 2; ++row) inner[row] = from[row * pitch + column];
  if (column < 2) {
#pragma unroll
    for (std::uint32_t row = 0; row < kRows + 2; ++row) edge[row] = from[row * pitch + kColumns + column];
  }
#pragma unroll
  for (std::uint32_t row = 0; row < kRows + 2; ++row) tile[row][column] = inner[row];
  if (column < 2) {
#pragma unroll
    for (std::uint32_t row = 0; row < kRows + 2; ++row) tile[row][kColumns + column] = edge[row];
  }
  __syncthreads();
  float* to = out + std::uint64_t{top + kHalo} * pitch + left + kHalo;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const std::uint32_t r = row + 1, c = column + 1;
    to[row * pitch + column] =
        center * tile[r][c] + side * (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]) +
        corner * (tile[r - 1][c - 1] + tile[r - 1][c + 1] + tile[r + 1][c - 1] + tile[r + 1][c + 1]);
  }
}

void stencil2d(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  const std::uint64_t pitch = (n + 2 * kHalo + 15) / 16 * 16, count = pitch * (n + 2 * kHalo);
  const float* in = silicon::device_values<float>(count, silicon::noise);
  float* out = silicon::device<float>(count);
  const dim3 grid(n / kRows, n / kColumns), workgroup(1, kColumns);
  silicon::measure(point, [&] {
    nine_points<<<grid, workgroup>>>(in, out, static_cast<std::uint32_t>(pitch), 0.5F, 0.1F, 0.025F);
  });
  if (!point.check) return;
  const auto got = silicon::host_copy(out, count);
  std::vector<float> inner, expected;
  const auto value = [&](std::uint64_t r, std::uint64_t c) { return silicon::noise(r * pitch + c); };
  for (std::uint64_t r = 1; r <= n; ++r) {
    for (std::uint64_t c = 1; c <= n; ++c) {
      inner.push_back(got[r * pitch + c]);
      expected.push_back(0.5F * value(r, c) +
                         0.1F * (value(r - 1, c) + value(r + 1, c) + value(r, c - 1) + value(r, c + 1)) +
                         0.025F * (value(r - 1, c - 1) + value(r - 1, c + 1) + value(r + 1, c - 1) +
                                   value(r + 1, c + 1)));
    }
  }
  silicon::compare(point, inner, expected);
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"fastwalshtransform", fastwalshtransform}, {"fir", fir}, {"stencil2d", stencil2d}});
}
