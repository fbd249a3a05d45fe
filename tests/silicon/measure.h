// SPDX-License-Identifier: MIT
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

/// What the benchmarks of this folder share. Each is a program that measures one point as the recorded times were measured: one call to warm up,
/// a synchronise, then from event to event. `PROGRAM BENCHMARK SIZE` prints `BENCHMARK,SIZE,MICROSECONDS`; `--check` after it compares the result
/// with the host's, for sizes that the host can follow.
namespace silicon {

#define SILICON_MUST(call)                                                \
  do {                                                                    \
    const hipError_t status = (call);                                     \
    if (status != hipSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

inline constexpr std::uint32_t kWorkgroup = 256;

/// Elements that inputs hold at most with values of their own; what lies beyond is left as it was allocated, since no kernel here takes
/// time that depends on values.
inline constexpr std::uint64_t kFilled = std::uint64_t{1} << 22;

/// Device memory that ends with the program.
template <class T>
T* device(std::uint64_t count) {
  void* out = nullptr;
  SILICON_MUST(hipMalloc(&out, count * sizeof(T)));
  return static_cast<T*>(out);
}

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* out = device<T>(values.size());
  SILICON_MUST(hipMemcpy(out, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return out;
}

/// `count` elements, of which the first hold `value(i)`.
template <class T, class Value>
T* device_values(std::uint64_t count, Value value) {
  T* out = device<T>(count);
  std::vector<T> some(count < kFilled ? count : kFilled);
  for (std::uint64_t i = 0; i < some.size(); ++i) some[i] = value(i);
  SILICON_MUST(hipMemcpy(out, some.data(), some.size() * sizeof(T), hipMemcpyHostToDevice));
  return out;
}

template <class T>
std::vector<T> host_copy(const T* from, std::uint64_t count) {
  std::vector<T> out(count);
  SILICON_MUST(hipMemcpy(out.data(), from, count * sizeof(T), hipMemcpyDeviceToHost));
  return out;
}

/// A repeatable value in [-1, 1).
inline float noise(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9;
  return static_cast<float>(x >> 40) / static_cast<float>(1 << 23) - 1.0F;
}

/// The last argument of the command line that `main` was given: the size, in the notation of the table.
struct Point {
  std::string benchmark, size;
  bool check = false;

  /// The numbers in the size, in order: {1024, 4} of "1024_taps4".
  [[nodiscard]] std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> out;
    for (const char* at = size.c_str(); *at != '\0';) {
      if (*at < '0' || *at > '9') {
        ++at;
        continue;
      }
      char* end = nullptr;
      out.push_back(std::strtoull(at, &end, 10));
      at = end;
    }
    return out;
  }
};

/// Calls `call` once to warm up, then once between two events, and prints the line of the table.
inline void measure(const Point& point, const std::function<void()>& call) {
  hipEvent_t start = nullptr, stop = nullptr;
  SILICON_MUST(hipEventCreate(&start));
  SILICON_MUST(hipEventCreate(&stop));
  call();
  SILICON_MUST(hipDeviceSynchronize());
  SILICON_MUST(hipEventRecord(start, nullptr));
  call();
  SILICON_MUST(hipEventRecord(stop, nullptr));
  SILICON_MUST(hipEventSynchronize(stop));
  float milliseconds = 0;
  SILICON_MUST(hipEventElapsedTime(&milliseconds, start, stop));
  std::printf("%s,%s,%.3f\n", point.benchmark.c_str(), point.size.c_str(), milliseconds * 1e3);
}

/// Ends the program when more than a few rounding errors lie between two results.
inline void compare(const Point& point, const std::vector<float>& got,
                    const std::vector<float>& expected, float tolerance = 1e-4F) {
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    const float off = got[i] > expected[i] ? got[i] - expected[i] : expected[i] - got[i];
    const float size = expected[i] < 0 ? -expected[i] : expected[i];
    if (off <= tolerance * (1 + size)) continue;
    std::fprintf(stderr, "%s %s: element %llu is %g, expected %g\n", point.benchmark.c_str(),
                 point.size.c_str(), static_cast<unsigned long long>(i), got[i], expected[i]);
    std::exit(1);
  }
  std::printf("%s,%s,right\n", point.benchmark.c_str(), point.size.c_str());
}

using Benchmark = void (*)(const Point&);
struct Named {
  const char* name;
  Benchmark run;
};

inline int main_of(int count, char** arguments, std::initializer_list<Named> benchmarks) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s BENCHMARK SIZE [--check]\n", arguments[0]);
    return 2;
  }
  const Point point{arguments[1], arguments[2],
                    count > 3 && std::strcmp(arguments[3], "--check") == 0};
  for (const Named& one : benchmarks) {
    if (point.benchmark != one.name) continue;
    one.run(point);
    return 0;
  }
  std::fprintf(stderr, "%s: no benchmark '%s'\n", arguments[0], arguments[1]);
  return 2;
}

}  // namespace silicon
