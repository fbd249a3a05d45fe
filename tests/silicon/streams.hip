// SPDX-License-Identifier: MIT
// Benchmarks that pass over memory once: a sum of vectors, a rectifier, copies.
#include "measure.h"

namespace {

using silicon::Point;

__global__ void add(float* a, const float* b, const float* c, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + c[i];
}

__global__ void rectify(const float* in, float* out, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0 ? in[i] : 0;
}

std::uint32_t workgroups(std::uint64_t n) {
  return static_cast<std::uint32_t>((n + silicon::kWorkgroup - 1) / silicon::kWorkgroup);
}

void vectoradd(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  float* a = silicon::device<float>(n);
  const float* b = silicon::device_values<float>(n, silicon::noise);
  const float* c = silicon::device_values<float>(n, [](std::uint64_t i) { return silicon::noise(7 * i); });
  silicon::measure(point, [&] {
    add<<<workgroups(n), silicon::kWorkgroup>>>(a, b, c, static_cast<std::uint32_t>(n));
  });
  if (!point.check) return;
  std::vector<float> expected(n);
  for (std::uint64_t i = 0; i < n; ++i) expected[i] = silicon::noise(i) + silicon::noise(7 * i);
  silicon::compare(point, silicon::host_copy(a, n), expected);
}

void relu(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  const float* in = silicon::device_values<float>(n, silicon::noise);
  float* out = silicon::device<float>(n);
  silicon::measure(point, [&] {
    rectify<<<workgroups(n), silicon::kWorkgroup>>>(in, out, static_cast<std::uint32_t>(n));
  });
  if (!point.check) return;
  std::vector<float> expected(n);
  for (std::uint64_t i = 0; i < n; ++i) expected[i] = silicon::noise(i) > 0 ? silicon::noise(i) : 0;
  silicon::compare(point, silicon::host_copy(out, n), expected);
}

/// Pageable memory of the host, as malloc() gives it.
void copy(const Point& point, hipMemcpyKind kind) {
  const std::uint64_t bytes = point.numbers().at(0) << 20;
  const bool from_host = kind == hipMemcpyHostToDevice, to_host = kind == hipMemcpyDeviceToHost;
  void* host = from_host || to_host ? std::calloc(bytes, 1) : nullptr;
  void* from = from_host ? host : silicon::device<char>(bytes);
  void* to = to_host ? host : silicon::device<char>(bytes);
  silicon::measure(point, [&] { SILICON_MUST(hipMemcpy(to, from, bytes, kind)); });
  std::free(host);
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(
      count, arguments,
      {{"vectoradd", vectoradd},
       {"relu", relu},
       {"memcopy_h2d", [](const Point& point) { copy(point, hipMemcpyHostToDevice); }},
       {"memcopy_d2h", [](const Point& point) { copy(point, hipMemcpyDeviceToHost); }},
       {"memcopy_d2d", [](const Point& point) { copy(point, hipMemcpyDeviceToDevice); }}});
}
