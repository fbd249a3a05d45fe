// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>

namespace rpl::tune {

/// Random numbers that are the same on every machine for a seed: the generator is fixed by the standard, distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  /// 0 to `count` − 1; 0 for an empty range.
  std::uint64_t below(std::uint64_t count) { return count == 0 ? 0 : generator_() % count; }
  /// At least 0, below 1.
  double unit() { return static_cast<double>(generator_() >> 11U) * 0x1p-53; }
  /// Mean 0, standard deviation 1: the sum of twelve uniform ones, close enough for noise of tests.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += unit();
    return sum;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace rpl::tune
