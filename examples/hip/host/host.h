// SPDX-License-Identifier: MIT
// What the host programs of this folder share: checked calls, arrays on the device, a verdict.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#define CHECK(call)                                                                                                 \
  do {                                                                                                              \
    const hipError_t status = (call);                                                                               \
    if (status != hipSuccess) {                                                                                     \
      std::printf("%s:%d: %s: %s (%s)\n", __FILE__, __LINE__, #call, hipGetErrorString(status), hipGetErrorName(status)); \
      std::exit(1);                                                                                                 \
    }                                                                                                               \
  } while (0)

/// Appends what was computed to the file that $EXAMPLE_RESULTS names, a number a line, so that two builds can be compared to the last bit.
template <class T>
void keep_results(const std::vector<T>& results) {
  const char* path = std::getenv("EXAMPLE_RESULTS");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) return;
  if constexpr (std::is_convertible_v<T, double>) {
    for (const T& one : results) std::fprintf(file, "%.17g\n", static_cast<double>(one));
  }
  std::fclose(file);
}

/// An array on the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) { CHECK(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T))); }
  explicit Array(const std::vector<T>& from) : Array(from.size()) {
    CHECK(hipMemcpy(data_, from.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  ~Array() { (void)hipFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> out(count_);
    CHECK(hipMemcpy(out.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    keep_results(out);
    return out;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// A repeatable number in [-1, 1) for each index.
inline float noise(std::size_t i) {
  const unsigned mixed = static_cast<unsigned>(i) * 2654435761u + 12345u;
  return static_cast<float>(mixed >> 8) / 8388608.0f - 1.0f;
}

inline bool close(double value, double expected, double tolerance) {
  return std::fabs(value - expected) <= tolerance * (1.0 + std::fabs(expected));
}

/// Prints the verdict; what main() returns.
inline int verdict(const char* name, std::size_t wrong, std::size_t checked) {
  std::printf("%s: %zu of %zu results wrong: %s\n", name, wrong, checked, wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? 0 : 1;
}
