// SPDX-License-Identifier: MIT
// Variants of stencils in three dimensions: how far a work-item goes, in which order it loads, how rows lie, what is kept in registers and LDS.
#include "../measure.h"

namespace {

using silicon::Point;
using std::uint32_t;

/// An interior of nx * ny * nz points in doubles, a halo of one around it being part of it.
struct Box {
  uint32_t nx, ny, nz;
  [[nodiscard]] std::uint64_t points() const { return std::uint64_t{nx} * ny * nz; }
};

Box box_of(const Point& point) {
  const auto numbers = point.numbers();
  return {static_cast<uint32_t>(numbers.at(0)), static_cast<uint32_t>(numbers.at(1)),
          static_cast<uint32_t>(numbers.at(2))};
}

/// The Laplacian of seven points, kRows points in y for each work-item, all terms of one point before those of the next.
template <int kRows>
__device__ void point_by_point(double* out, const double* in, std::uint64_t at, std::uint64_t row, std::uint64_t slice) {
#pragma unroll
  for (int r = 0; r < kRows; ++r, at += row)
    out[at] = in[at] * -6.0 + in[at - 1] + in[at + 1] + in[at - row] + in[at + row] + in[at - slice] + in[at + slice];
}

/// The same, in the order of the addresses: the slice before, the rows of this one upwards, the slice behind.
template <int kRows>
__device__ void by_address(double* out, const double* in, std::uint64_t at, std::uint64_t row, std::uint64_t slice) {
  double sum[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) sum[r] = in[at - slice + r * row];
  sum[0] += in[at - row];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const double center = in[at + r * row];
    sum[r] += in[at + r * row - 1] - 6.0 * center + in[at + r * row + 1];
    if (r > 0) sum[r - 1] += center;
    if (r < kRows - 1) sum[r + 1] += center;
  }
  sum[kRows - 1] += in[at + kRows * row];
#pragma unroll
  for (int r = 0; r < kRows; ++r) sum[r] += in[at + slice + r * row];
#pragma unroll
  for (int r = 0; r < kRows; ++r) out[at + r * row] = sum[r];
}

template <int kRows, bool kByAddress, bool kYFirst>
__global__ void laplacian(double* out, const double* in, Box b) {
  const uint32_t gx = kYFirst ? blockIdx.z : blockIdx.x, gy = kYFirst ? blockIdx.x : blockIdx.y,
                 gz = kYFirst ? blockIdx.y : blockIdx.z;
  const uint32_t x = gx * blockDim.x + threadIdx.x, y = 1 + kRows * gy, z = gz * blockDim.z + threadIdx.z;
  if (x == 0 || x >= b.nx - 1 || z == 0 || z >= b.nz - 1) return;
  const std::uint64_t row = b.nx, slice = std::uint64_t{b.nx} * b.ny, at = x + y * row + z * slice;
  if constexpr (kByAddress)
    by_address<kRows>(out, in, at, row, slice);
  else
    point_by_point<kRows>(out, in, at, row, slice);
}

/// "nx_ny_nz", the interior in y being a multiple of the rows: workgroups of 256 x 1 x 1, or of 128 x 1 x 8; in the order x, y, z or y, z, x.
template <int kRows, bool kByAddress, bool kDeep = false, bool kYFirst = false>
void stencil(const Point& point) {
  const Box b = box_of(point);
  double *out = silicon::device<double>(b.points()), *in = silicon::device<double>(b.points());
  const dim3 workgroup = kDeep ? dim3(128, 1, 8) : dim3(256, 1, 1);
  const uint32_t gx = (b.nx - 1) / workgroup.x + 1, gy = (b.ny - 2) / kRows, gz = (b.nz - 1) / workgroup.z + 1;
  const dim3 grid = kYFirst ? dim3(gy, gz, gx) : dim3(gx, gy, gz);
  silicon::measure(point, [&] { laplacian<kRows, kByAddress, kYFirst><<<grid, workgroup>>>(out, in, b); });
}

/// What a work-item needs does not fit the registers that waves of this occupancy have, or does.
template <int kWaves>
__global__ void __attribute__((amdgpu_flat_work_group_size(256, 256), amdgpu_waves_per_eu(kWaves, kWaves)))
many_values(double* out, const double* in, uint32_t n) {
  constexpr int kValues = 72;
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  double value[kValues];
#pragma unroll
  for (int k = 0; k < kValues; ++k) value[k] = in[i + std::uint64_t{n} * k];
#pragma unroll
  for (int k = 0; k < kValues; ++k) value[k] += value[(k * 29 + 11) % kValues] * value[(k * 17 + 5) % kValues];
#pragma unroll
  for (int k = 0; k < kValues; ++k) out[i + std::uint64_t{n} * k] = value[k];
}

/// "n"
template <int kWaves>
void registers(const Point& point) {
  const auto n = static_cast<uint32_t>(point.numbers().at(0));
  double *out = silicon::device<double>(std::uint64_t{n} * 72), *in = silicon::device<double>(std::uint64_t{n} * 72);
  silicon::measure(point, [&] { many_values<kWaves><<<n / 256, 256>>>(out, in, n); });
}

constexpr int kRadius = 4;
__device__ constexpr float kWeights[2 * kRadius + 1] = {-0.1F, 0.2F, -0.3F, 0.4F, 1.5F, 0.4F, -0.3F, 0.2F, -0.1F};

/// Nine points in a line whose neighbours lie `apart` elements from each other; `line` and `slice` are the pitches of rows and slices.
__global__ void __launch_bounds__(256)
line_of_nine(float* out, const float* in, uint32_t apart, uint32_t line, uint32_t slice, uint32_t nx) {
  const uint32_t x = blockIdx.x * 256 + threadIdx.x;
  if (x >= nx) return;
  const std::uint64_t at = x + std::uint64_t{blockIdx.y} * line + std::uint64_t{blockIdx.z} * slice;
  float sum = 0;
#pragma unroll
  for (int r = 0; r <= 2 * kRadius; ++r)
    sum += in[static_cast<std::int64_t>(at) + (r - kRadius) * static_cast<std::int64_t>(apart)] * kWeights[r];
  out[at] = sum;
}

/// The same along z, a window of nine values being kept in registers over `depth` slices.
__global__ void __launch_bounds__(256)
window_of_nine(float* out, const float* in, uint32_t line, uint32_t slice, uint32_t nx, uint32_t depth) {
  const uint32_t x = blockIdx.x * 256 + threadIdx.x;
  if (x >= nx) return;
  std::uint64_t at = x + std::uint64_t{blockIdx.y} * line + std::uint64_t{blockIdx.z} * depth * slice;
  const float* from = in + at - std::uint64_t{kRadius} * slice;
  float window[2 * kRadius + 1];
#pragma unroll
  for (int r = 0; r < 2 * kRadius; ++r, from += slice) window[r] = *from;
  for (uint32_t k = 0; k < depth; ++k, from += slice, at += slice) {
    window[2 * kRadius] = *from;
    float sum = 0;
#pragma unroll
    for (int r = 0; r <= 2 * kRadius; ++r) sum += window[r] * kWeights[r];
    out[at] = sum;
#pragma unroll
    for (int r = 0; r < 2 * kRadius; ++r) window[r] = window[r + 1];
  }
}

template <int kWidth>
using Vector = float __attribute__((ext_vector_type(kWidth)));

/// Nine points in x, kWidth results for each work-item, workgroups of 64 x 4.
template <int kWidth>
__global__ void __launch_bounds__(256) wide_x(float* out, const float* in, uint32_t line, uint32_t slice) {
  const uint32_t x = kWidth * (blockIdx.x * 64 + threadIdx.x);
  const std::uint64_t at =
      x + std::uint64_t{blockIdx.y * 4 + threadIdx.y} * line + std::uint64_t{blockIdx.z} * slice;
  float value[2 * kRadius + kWidth];
#pragma unroll
  for (int r = 0; r < 2 * kRadius + kWidth; r += kWidth) {
    const auto some = *reinterpret_cast<const Vector<kWidth>*>(in + at - kRadius + r);
#pragma unroll
    for (int k = 0; k < kWidth; ++k) value[r + k] = some[k];
  }
  Vector<kWidth> sum = 0.0F;
#pragma unroll
  for (int r = 0; r <= 2 * kRadius; ++r) {
#pragma unroll
    for (int k = 0; k < kWidth; ++k) sum[k] += value[r + k] * kWeights[r];
  }
  *reinterpret_cast<Vector<kWidth>*>(out + at) = sum;
}

/// Nine points in y, kWidth results for each work-item, workgroups of 64 x 4; through LDS or not.
template <int kWidth, bool kLds>
__global__ void __launch_bounds__(256) wide_y(float* out, const float* in, uint32_t line, uint32_t slice) {
  const uint32_t x = kWidth * (blockIdx.x * 64 + threadIdx.x);
  const std::uint64_t at =
      x + std::uint64_t{blockIdx.y * 4 + threadIdx.y} * line + std::uint64_t{blockIdx.z} * slice;
  Vector<kWidth> sum = 0.0F;
  const auto load = [&](int rows) {
    return *reinterpret_cast<const Vector<kWidth>*>(in + static_cast<std::int64_t>(at) +
                                                     rows * static_cast<std::int64_t>(line));
  };
  if constexpr (kLds) {
    __shared__ Vector<kWidth> tile[12][64];
    tile[threadIdx.y][threadIdx.x] = load(-4);
    tile[threadIdx.y + 4][threadIdx.x] = load(0);
    tile[threadIdx.y + 8][threadIdx.x] = load(4);
    __syncthreads();
#pragma unroll
    for (int r = 0; r <= 2 * kRadius; ++r) sum += tile[threadIdx.y + r][threadIdx.x] * kWeights[r];
  } else {
#pragma unroll
    for (int r = 0; r <= 2 * kRadius; ++r) sum += load(r - kRadius) * kWeights[r];
  }
  *reinterpret_cast<Vector<kWidth>*>(out + at) = sum;
}

/// A cube of floats with a halo of four, its rows `line` apart and its interior beginning at a multiple of 256 bytes or not: "nx_ny_nz_aligned".
struct Grid {
  Box b;
  uint32_t line, slice;
  float *out, *in;  ///< at the first point of the interior
};

Grid grid_of(const Point& point) {
  Grid g{.b = box_of(point), .line = 0, .slice = 0, .out = nullptr, .in = nullptr};
  const bool aligned = point.numbers().at(3) != 0;
  constexpr uint32_t kAlign = 64;
  g.line = g.b.nx + 2 * kRadius;
  if (aligned) g.line = (g.line + kAlign - 1) / kAlign * kAlign;
  g.slice = g.line * (g.b.ny + 2 * kRadius);
  const std::uint64_t all = std::uint64_t{g.slice} * (g.b.nz + 2 * kRadius) + kAlign;
  const std::uint64_t first =
      (aligned ? kAlign : kRadius) + std::uint64_t{kRadius} * g.line + std::uint64_t{kRadius} * g.slice;
  g.out = silicon::device<float>(all) + first;
  g.in = silicon::device<float>(all) + first;
  return g;
}

template <char kAlong>
void line(const Point& point) {
  const Grid g = grid_of(point);
  const uint32_t apart = kAlong == 'x' ? 1 : kAlong == 'y' ? g.line : g.slice;
  silicon::measure(point, [&] {
    line_of_nine<<<dim3((g.b.nx + 255) / 256, g.b.ny, g.b.nz), 256>>>(g.out, g.in, apart, g.line, g.slice, g.b.nx);
  });
}

void window(const Point& point) {
  const Grid g = grid_of(point);
  const auto depth = static_cast<uint32_t>(point.numbers().at(4));
  silicon::measure(point, [&] {
    window_of_nine<<<dim3((g.b.nx + 255) / 256, g.b.ny, g.b.nz / depth), 256>>>(g.out, g.in, g.line, g.slice, g.b.nx,
                                                                               depth);
  });
}

template <int kWidth>
void vector_x(const Point& point) {
  const Grid g = grid_of(point);
  silicon::measure(point, [&] {
    wide_x<kWidth><<<dim3(g.b.nx / (64 * kWidth), g.b.ny / 4, g.b.nz), dim3(64, 4)>>>(g.out, g.in, g.line, g.slice);
  });
}

template <int kWidth, bool kLds = false>
void vector_y(const Point& point) {
  const Grid g = grid_of(point);
  silicon::measure(point, [&] {
    wide_y<kWidth, kLds>
        <<<dim3(g.b.nx / (64 * kWidth), g.b.ny / 4, g.b.nz), dim3(64, 4)>>>(g.out, g.in, g.line, g.slice);
  });
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"laplacian", stencil<1, false>},
                           {"laplacian_rows4", stencil<4, false>},
                           {"laplacian_rows8", stencil<8, false>},
                           {"laplacian_ordered1", stencil<1, true>},
                           {"laplacian_ordered2", stencil<2, true>},
                           {"laplacian_ordered4", stencil<4, true>},
                           {"laplacian_ordered8", stencil<8, true>},
                           {"laplacian_deep8", stencil<8, true, true>},
                           {"laplacian_y_first8", stencil<8, true, false, true>},
                           {"registers_spilled", registers<4>},
                           {"registers_kept", registers<2>},
                           {"line_x", line<'x'>},
                           {"line_y", line<'y'>},
                           {"line_z", line<'z'>},
                           {"window_z", window},
                           {"vector_x1", vector_x<1>},
                           {"vector_x2", vector_x<2>},
                           {"vector_x4", vector_x<4>},
                           {"vector_y1", vector_y<1>},
                           {"vector_y2", vector_y<2>},
                           {"vector_y4", vector_y<4>},
                           {"lds_y4", vector_y<4, true>}});
}
