// SPDX-License-Identifier: MIT
// Benchmarks on dense matrices: transposition through LDS, a product through a scratch buffer, a product with a vector and its transpose.
#include "measure.h"

namespace {

using silicon::Point;

/// 64 x 64 floats for each workgroup of 16 x 16; a work-item moves four rows of one float4. Block columns are taken in diagonal order.
__global__ void transpose(const float4* in, float4* out, std::uint32_t width) {
  __shared__ float4 tile[64 * 16];
  const std::uint32_t x = threadIdx.x, y = threadIdx.y, blocks = gridDim.x;
  const std::uint32_t row = blockIdx.y, column = (blockIdx.x + blockIdx.y) % blocks;
  const std::uint32_t pitch = width / 4;
  const std::uint32_t from = (row * 64 + y * 4) * pitch + column * 16 + x;
  for (std::uint32_t i = 0; i < 4; ++i) tile[(y * 4 + i) * 16 + x] = in[from + i * pitch];
  __syncthreads();
  const float* values = reinterpret_cast<const float*>(tile);
  const std::uint32_t to = (column * 64 + y * 4) * pitch + row * 16 + x;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t source = y * 4 + i;
    out[to + i * pitch] = make_float4(values[(x * 4 + 0) * 64 + source], values[(x * 4 + 1) * 64 + source],
                                      values[(x * 4 + 2) * 64 + source], values[(x * 4 + 3) * 64 + source]);
  }
}

void matrixtranspose(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  const float4* in = reinterpret_cast<const float4*>(silicon::device_values<float>(n * n, silicon::noise));
  float* out = silicon::device<float>(n * n);
  const dim3 grid(n / 64, n / 64), workgroup(16, 16);
  silicon::measure(point, [&] {
    transpose<<<grid, workgroup>>>(in, reinterpret_cast<float4*>(out), static_cast<std::uint32_t>(n));
  });
  if (!point.check) return;
  std::vector<float> expected(n * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) expected[j * n + i] = silicon::noise(i * n + j);
  }
  silicon::compare(point, silicon::host_copy(out, n * n), expected);
}

__device__ void add_product(float4& sum, const float4& a, const float4* b) {
  sum.x += a.x * b[0].x + a.y * b[1].x + a.z * b[2].x + a.w * b[3].x;
  sum.y += a.x * b[0].y + a.y * b[1].y + a.z * b[2].y + a.w * b[3].y;
  sum.z += a.x * b[0].z + a.y * b[1].z + a.z * b[2].z + a.w * b[3].z;
  sum.w += a.x * b[0].w + a.y * b[1].w + a.z * b[2].w + a.w * b[3].w;
}

/// Four rows of one float4 of C for each work-item. The block of A goes through `block`, which all workgroups share; since all of them that run
/// at once write the block of their own rows there, results are right only where one workgroup runs, as in the benchmark that was measured.
__global__ void multiply(const float4* a, const float4* b, float4* c, float4* block, std::uint32_t n) {
  const std::uint32_t x = threadIdx.x, y = threadIdx.y, wide = blockDim.x;
  const std::uint32_t column = blockIdx.x * wide + x, row = (blockIdx.y * blockDim.y + y) * 4;
  const std::uint32_t pitch = n / 4, place = x + wide * y * 4;
  float4 sum[4] = {};
  for (std::uint32_t i = 0; i < pitch / wide; ++i) {
    const std::uint32_t from = i * wide + x + row * pitch;
    for (std::uint32_t k = 0; k < 4; ++k) block[place + k * wide] = a[from + k * pitch];
    __syncthreads();
    const std::uint32_t first = column + i * wide * 4 * pitch;
    for (std::uint32_t j = 0; j < wide * 4; j += 4) {
      float4 rows[4];
      for (std::uint32_t k = 0; k < 4; ++k) rows[k] = b[first + (j + k) * pitch];
      for (std::uint32_t k = 0; k < 4; ++k)
        add_product(sum[k], block[j / 4 + (y * 4 + k) * wide], rows);
    }
    __syncthreads();
  }
  for (std::uint32_t k = 0; k < 4; ++k) c[column + (row + k) * pitch] = sum[k];
}

void matrixmultiplication(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  const auto* a = reinterpret_cast<const float4*>(silicon::device_values<float>(n * n, silicon::noise));
  const auto* b = reinterpret_cast<const float4*>(
      silicon::device_values<float>(n * n, [](std::uint64_t i) { return silicon::noise(3 * i + 1); }));
  float* c = silicon::device<float>(n * n);
  float4* block = silicon::device<float4>(8 * 8 * 4);
  const std::uint32_t items = n / 4;
  std::uint32_t side = 8;
  while (items % side != 0) side /= 2;
  const dim3 grid(items / side, items / side), workgroup(side, side);
  silicon::measure(point, [&] {
    multiply<<<grid, workgroup>>>(a, b, reinterpret_cast<float4*>(c), block, static_cast<std::uint32_t>(n));
  });
  if (!point.check) return;
  std::vector<float> expected(n * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      for (std::uint64_t k = 0; k < n; ++k)
        expected[i * n + j] += silicon::noise(i * n + k) * silicon::noise(3 * (k * n + j) + 1);
    }
  }
  silicon::compare(point, silicon::host_copy(c, n * n), expected, 1e-3F);
}

__global__ void rows_of(const float* a, const float* x, float* tmp, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (std::uint32_t j = 0; j < n; ++j) tmp[i] += a[std::uint64_t{i} * n + j] * x[j];
}

__global__ void columns_of(const float* a, float* y, const float* tmp, std::uint32_t n) {
  const std::uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  for (std::uint32_t i = 0; i < n; ++i) y[j] += a[std::uint64_t{i} * n + j] * tmp[i];
}

void atax(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  const float* a = silicon::device_values<float>(n * n, silicon::noise);
  const float* x = silicon::device_values<float>(n, [](std::uint64_t i) { return silicon::noise(5 * i); });
  float *y = silicon::device<float>(n), *tmp = silicon::device<float>(n);
  const auto count = static_cast<std::uint32_t>(n);
  const std::uint32_t workgroups = (count + silicon::kWorkgroup - 1) / silicon::kWorkgroup;
  silicon::measure(point, [&] {
    SILICON_MUST(hipMemset(y, 0, n * sizeof(float)));
    SILICON_MUST(hipMemset(tmp, 0, n * sizeof(float)));
    rows_of<<<workgroups, silicon::kWorkgroup>>>(a, x, tmp, count);
    columns_of<<<workgroups, silicon::kWorkgroup>>>(a, y, tmp, count);
  });
  if (!point.check) return;
  std::vector<float> product(n), expected(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) product[i] += silicon::noise(i * n + j) * silicon::noise(5 * j);
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) expected[j] += silicon::noise(i * n + j) * product[i];
  }
  silicon::compare(point, silicon::host_copy(y, n), expected, 1e-3F);
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"matrixtranspose", matrixtranspose},
                           {"matrixmultiplication", matrixmultiplication},
                           {"atax", atax}});
}
