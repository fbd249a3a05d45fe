// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/own_constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/optimize/inputs/kernel_code.h"

namespace rpl {
namespace {

Thresholds own(const char* source, const char* baseline, const char* candidate) {
  return own_constants(*program_of(source, baseline), *program_of(source, candidate));
}

template <class T>
bool holds(const std::vector<T>& all, T value) {
  return std::ranges::find(all, value) != all.end();
}

TEST(OwnConstants, WhatAConditionComparesWithIsAmongThem) {
  EXPECT_TRUE(holds(own("elementwise", "scaled", "scaled_wrong_above").numbers, 50000.0));
  EXPECT_TRUE(holds(own("elementwise", "scaled", "scaled_wrong_far_below").numbers, 3.0e6));
  EXPECT_TRUE(holds(own("loops", "summed", "summed_small_totals").numbers, 30000.0));
  EXPECT_TRUE(holds(own("loops", "summed", "summed_not_of_five").whole, std::int64_t{5}));
  EXPECT_TRUE(
      holds(own("integers", "magnitude", "magnitude_of_small").whole, std::int64_t{123456}));
}

TEST(OwnConstants, WhatTheBaselineHasTooIsNot) {
  const Thresholds none = own("elementwise", "scaled", "scaled");
  EXPECT_TRUE(none.numbers.empty());
  EXPECT_TRUE(none.whole.empty());
}

TEST(OwnConstants, NumbersNearAThresholdLieOnBothSidesOfIt) {
  Random random(7);
  unsigned below = 0, above = 0, at = 0, negative = 0;
  for (int i = 0; i < 1000; ++i) {
    const double value = near_threshold(50000, random);
    negative += value < 0 ? 1 : 0;
    at += std::abs(value) == 50000 ? 1 : 0;
    below += std::abs(value) < 50000 ? 1 : 0;
    above += std::abs(value) > 50000 ? 1 : 0;
    EXPECT_LE(std::abs(value), 8 * 50000.0);
    EXPECT_GE(std::abs(value), 50000 * (1 - 1.0 / 16));
  }
  for (const unsigned count : {below, above, at, negative}) EXPECT_GT(count, 50U);
}

}  // namespace
}  // namespace rpl
