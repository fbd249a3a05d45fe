// SPDX-License-Identifier: MIT
#pragma once

namespace rpl {

/// The widest vectors of this processor, as levels of x86-64: 4 with AVX-512, 3 with AVX2, FMA and BMI2, otherwise 1, on other processors too.
inline int processor_level() {
#if defined(__x86_64__)
  static const int level =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl")
          ? 4
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi2")
          ? 3
          : 1;
  return level;
#else
  return 1;
#endif
}

/// A body compiled for each level: best() is the function for this processor.
template <auto kBody>
struct Levels;
template <class R, class... A, R (*kBody)(A...)>
struct Levels<kBody> {
  static R base(A... arguments) { return kBody(arguments...); }
#if defined(__x86_64__)
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static R v3(A... arguments) {
    return kBody(arguments...);
  }
  [[gnu::target("arch=x86-64-v4"), gnu::flatten]] static R v4(A... arguments) {
    return kBody(arguments...);
  }
#endif
  static auto best() -> R (*)(A...) {
#if defined(__x86_64__)
    if (processor_level() == 4) return v4;
    if (processor_level() == 3) return v3;
#endif
    return base;
  }
};

}  // namespace rpl
