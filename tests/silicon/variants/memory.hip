// SPDX-License-Identifier: MIT
// Variants of kernels that move memory: streams with few and many waves, with small and large workgroups, loads by stride, chains of dependent loads, rows by their pitch.
#include "../measure.h"

namespace {

using silicon::Point;
using std::uint32_t;

/// The extra LDS keeps other workgroups away from the compute unit.
struct Shape {
  uint32_t n, workgroup, lds;
  [[nodiscard]] uint32_t workgroups() const { return (n + workgroup - 1) / workgroup; }
};

/// "4194304_wg64_lds32768"
Shape shape_of(const Point& point) {
  const auto numbers = point.numbers();
  return {static_cast<uint32_t>(numbers.at(0)), static_cast<uint32_t>(numbers.at(1)),
          static_cast<uint32_t>(numbers.size() > 2 ? numbers[2] : 0)};
}

__global__ void set(double* a, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.23;
}

__global__ void look(double* a, const double* b, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double value = b[i];
  if (value == 123.0) a[i] = value;
}

__global__ void multiply(double* a, const double* b, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * 1.2;
}

__global__ void multiply_add(double* a, const double* b, const double* c, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * 1.2 + c[i];
}

void init(const Point& point) {
  const Shape s = shape_of(point);
  double* a = silicon::device<double>(s.n);
  silicon::measure(point, [&] { set<<<s.workgroups(), s.workgroup, s.lds>>>(a, s.n); });
}

void read(const Point& point) {
  const Shape s = shape_of(point);
  double *a = silicon::device<double>(s.n), *b = silicon::device<double>(s.n);
  silicon::measure(point, [&] { look<<<s.workgroups(), s.workgroup, s.lds>>>(a, b, s.n); });
}

void scale(const Point& point) {
  const Shape s = shape_of(point);
  double *a = silicon::device<double>(s.n), *b = silicon::device<double>(s.n);
  silicon::measure(point, [&] { multiply<<<s.workgroups(), s.workgroup, s.lds>>>(a, b, s.n); });
}

void triad(const Point& point) {
  const Shape s = shape_of(point);
  double *a = silicon::device<double>(s.n), *b = silicon::device<double>(s.n),
         *c = silicon::device<double>(s.n);
  silicon::measure(point, [&] { multiply_add<<<s.workgroups(), s.workgroup, s.lds>>>(a, b, c, s.n); });
}

/// Eight loads from the L1 a round, whose lanes lie `stride` elements apart. `zero` keeps the compiler from lifting them out.
template <class T>
__global__ void strided(const T* from, T* out, uint32_t rounds, uint32_t zero, uint32_t stride) {
  const T* at = from + threadIdx.x % 64 * stride;
  T sum = 0;
#pragma unroll 1
  for (uint32_t i = 0; i < rounds; ++i) {
    at += zero;
    sum += at[0] * at[4] + at[8] * at[12] + at[16] * at[20] + at[24] * at[28];
  }
  if (sum == T(123123.25)) out[threadIdx.x] = sum;
}

/// The same with rows of `width` lanes in a matrix of this pitch.
__global__ void blocked(const float* from, float* out, uint32_t rounds, uint32_t zero, uint32_t pitch) {
  const float* at = from + threadIdx.x % 64 + threadIdx.y % 32 * pitch;
  float sum = 0;
#pragma unroll 1
  for (uint32_t i = 0; i < rounds; ++i) {
    at += zero;
    sum += at[0] * at[4] + at[8] * at[12] + at[16] * at[20] + at[24] * at[28];
  }
  if (sum == 123123.25F) out[threadIdx.x] = sum;
}

/// One workgroup of 1024, as in the benchmark whose figures are compared: "rounds_stride".
template <class T>
void stride(const Point& point) {
  const auto numbers = point.numbers();
  const auto rounds = static_cast<uint32_t>(numbers.at(0)), apart = static_cast<uint32_t>(numbers.at(1));
  const T* from = silicon::device_values<T>(std::uint64_t{64} * apart + 64, [](std::uint64_t) { return T(0.5); });
  T* out = silicon::device<T>(1024);
  silicon::measure(point, [&] { strided<T><<<1, 1024>>>(from, out, rounds, 0, apart); });
}

/// "rounds_width"
void block(const Point& point) {
  const auto numbers = point.numbers();
  const auto rounds = static_cast<uint32_t>(numbers.at(0)), width = static_cast<uint32_t>(numbers.at(1));
  constexpr uint32_t kPitch = 4098;
  const float* from =
      silicon::device_values<float>(std::uint64_t{kPitch} * 32 + 128, [](std::uint64_t) { return 0.5F; });
  float* out = silicon::device<float>(1024);
  silicon::measure(point, [&] { blocked<<<1, dim3(width, 1024 / width)>>>(from, out, rounds, 0, kPitch); });
}

__global__ void follow(const std::uint64_t* const* first, std::uint64_t* out, uint32_t steps) {
  auto at = reinterpret_cast<const std::uint64_t*>(first);
#pragma unroll 1
  for (uint32_t i = 0; i < steps; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) at = reinterpret_cast<const std::uint64_t*>(*at);
  }
  if (threadIdx.x > 1000) *out = reinterpret_cast<std::uint64_t>(at);
}

/// A chain of dependent loads in one wave through elements that lie 64 bytes apart in a random cycle: "bytes_steps".
void chase(const Point& point) {
  const auto numbers = point.numbers();
  const std::uint64_t places = numbers.at(0) / 64;
  std::vector<std::uint64_t> order(places), chain(places * 8);
  for (std::uint64_t i = 0; i < places; ++i) order[i] = i;
  std::uint64_t random = 0x9E3779B97F4A7C15;
  for (std::uint64_t i = places - 1; i > 0; --i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    std::swap(order[i], order[random % (i + 1)]);
  }
  std::uint64_t* buffer = silicon::device<std::uint64_t>(places * 8);
  for (std::uint64_t i = 0; i < places; ++i)
    chain[order[i] * 8] = reinterpret_cast<std::uint64_t>(buffer + order[(i + 1) % places] * 8);
  SILICON_MUST(hipMemcpy(buffer, chain.data(), chain.size() * 8, hipMemcpyHostToDevice));
  std::uint64_t* out = silicon::device<std::uint64_t>(1);
  silicon::measure(point, [&] {
    follow<<<1, 64>>>(reinterpret_cast<const std::uint64_t* const*>(buffer), out,
                      static_cast<uint32_t>(numbers.at(1)));
  });
}

/// Rows of a matrix, four lanes of 16 bytes in each, as a tile of a product is read whose matrix lies with its long side along the sum. All workgroups walk
/// along their rows together.
__global__ void rows(const float4* from, float* out, uint32_t steps, uint32_t pitch) {
  const uint32_t row = blockIdx.x * (blockDim.x / 4) + threadIdx.x / 4;
  const float4* at = from + std::uint64_t{row} * pitch + threadIdx.x % 4;
  float sum = 0;
#pragma unroll 4
  for (uint32_t i = 0; i < steps; ++i) {
    const float4 value = at[4 * i];
    sum += value.x + value.y + value.z + value.w;
  }
  if (sum == 123123.25F) out[row] = sum;
}

/// "rows_bytes_pitch": the bytes of each row that are read, the bytes from row to row.
void pitch(const Point& point) {
  const auto numbers = point.numbers();
  const auto count = static_cast<uint32_t>(numbers.at(0));
  const float4* from = silicon::device<float4>(count * numbers.at(2) / 16);
  float* out = silicon::device<float>(count);
  silicon::measure(point, [&] {
    rows<<<count / 64, 256>>>(from, out, static_cast<uint32_t>(numbers.at(1) / 64),
                              static_cast<uint32_t>(numbers.at(2) / 16));
  });
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"init", init},
                           {"read", read},
                           {"scale", scale},
                           {"triad", triad},
                           {"stride_f32", stride<float>},
                           {"stride_f64", stride<double>},
                           {"block", block},
                           {"chase", chase},
                           {"pitch", pitch}});
}
