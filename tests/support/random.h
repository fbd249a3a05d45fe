// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl::test {

/// SplitMix64: equal on every machine, unlike the distributions of <random>.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// 0 … bound - 1.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// first … last.
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
  }
  /// True with this probability.
  bool chance(double probability) { return unit() < probability; }
  /// 0 ≤ x < 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace rpl::test
