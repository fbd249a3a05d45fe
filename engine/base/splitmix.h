// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl {

/// The generator SplitMix64 (G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). The same
/// numbers with every compiler and library, so that printed rates can be compared.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  /// 0 to bound − 1; bound from 1.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
  }
  /// At least 0, below 1.
  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  /// Mean 0, deviation 1: the sum of twelve uniform numbers of 16 bits, which is normal up to 3 or 4 deviations and ends at 6.
  double normal() {
    std::uint32_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      const std::uint64_t bits = next();
      sum += static_cast<std::uint32_t>((bits & 0xffffU) + (bits >> 16U & 0xffffU) +
                                        (bits >> 32U & 0xffffU) + (bits >> 48U));
    }
    return (static_cast<double>(sum) + 6) * 0x1p-16 - 6;
  }

 private:
  std::uint64_t state_;
};

}  // namespace rpl
