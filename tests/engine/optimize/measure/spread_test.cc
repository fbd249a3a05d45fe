// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace rpl {
namespace {

using Values = std::vector<std::vector<double>>;

/// What drawing gives: sorted medians of so many resamples.
std::vector<double> drawn(const Values& values, int resamples) {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::vector<double> out, medians, inner;
  for (int i = 0; i < resamples; ++i) {
    medians.clear();
    for (std::size_t p = 0; p < values.size(); ++p) {
      const auto& from = values[below(values.size())];
      inner.clear();
      for (std::size_t k = 0; k < from.size(); ++k) inner.push_back(from[below(from.size())]);
      medians.push_back(median_of(inner));
    }
    out.push_back(median_of(medians));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Values some(std::size_t processes, std::size_t blocks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> of_process(0, 0.5), of_block(0, 1);
  Values out;
  for (std::size_t p = 0; p < processes; ++p) {
    const double shift = of_process(random);
    auto& values = out.emplace_back();
    for (std::size_t b = 0; b < blocks; ++b) values.push_back(shift + of_block(random));
  }
  return out;
}

TEST(Binomial, TailsAreThoseOfTables) {
  EXPECT_NEAR(binomial_tail(5, 3, 0.5), 0.5, 1e-15);
  EXPECT_NEAR(binomial_tail(10, 8, 0.5), 56.0 / 1024, 1e-15);
  EXPECT_NEAR(binomial_tail(5, 3, 0.2), 0.05792, 1e-12);
  EXPECT_NEAR(binomial_tail(101, 51, 0.5), 0.5, 1e-12);
  EXPECT_NEAR(binomial_tail(100, 60, 0.5), 0.0284439668, 1e-9);
  EXPECT_EQ(binomial_tail(7, 0, 0), 1);
  EXPECT_EQ(binomial_tail(7, 1, 0), 0);
  EXPECT_EQ(binomial_tail(7, 8, 1), 0);
}

TEST(Binomial, BothWaysToComputeItAgree) {
  for (const double chance : {0.01, 0.3, 0.5, 0.77}) {
    // 33 draws go by the continued fraction, 32 by the sum: P(33, k) = p P(32, k − 1) + (1 − p) P(32, k).
    for (std::size_t k = 1; k <= 32; ++k) {
      EXPECT_NEAR(
          binomial_tail(33, k, chance),
          chance * binomial_tail(32, k - 1, chance) + (1 - chance) * binomial_tail(32, k, chance),
          1e-12);
    }
  }
}

TEST(Spread, GivesWhatEndlessDrawingWouldGive) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Values values = some(5, 5, seed);
    const Spread spread(values);
    const auto resamples = drawn(values, 40'000);
    const auto share_below = [&](double limit) {
      return static_cast<double>(std::lower_bound(resamples.begin(), resamples.end(), limit) -
                                 resamples.begin()) /
             40'000;
    };
    // Values are few: the limit is the first at which the share is reached.
    const double low = spread.lower(0.025, 5), high = spread.upper(0.025, 5);
    EXPECT_LT(share_below(low), 0.028);
    EXPECT_GT(share_below(std::nextafter(low, 10)), 0.022);
    EXPECT_LT(1 - share_below(std::nextafter(high, 10)), 0.028);
    EXPECT_GT(1 - share_below(high), 0.022);
  }
}

TEST(Spread, OfEvenNumbersIsNeverNarrower) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Values values = some(6, 4, seed);
    const auto resamples = drawn(values, 10'000);
    EXPECT_LE(Spread(values).lower(0.025, 6), resamples[270]);
    EXPECT_GE(Spread(values).upper(0.025, 6), resamples[9730]);
  }
}

TEST(Spread, IsTheSameUpsideDown) {
  const Values values = some(7, 4, 3);
  Values negative = values;
  for (auto& process : negative)
    std::transform(process.begin(), process.end(), process.begin(), std::negate<>());
  EXPECT_EQ(Spread(values).lower(0.05, 7), -Spread(negative).upper(0.05, 7));
  EXPECT_EQ(Spread(values).middle(), -Spread(negative).middle());
  EXPECT_EQ(Spread(values).absolute(0.95, 7), Spread(negative).absolute(0.95, 7));
}

TEST(Spread, AbsoluteValuesHoldTheirShare) {
  const Values values = some(9, 5, 4);
  auto resamples = drawn(values, 40'000);
  for (double& value : resamples) value = std::abs(value);
  std::sort(resamples.begin(), resamples.end());
  EXPECT_GE(Spread(values).absolute(0.95, 9), resamples[37'800]);
  EXPECT_LE(Spread(values).absolute(0.95, 9), resamples[39'000]);
}

TEST(Spread, OfOneValueIsThatValue) {
  const Spread spread(Values{{0.25}});
  EXPECT_EQ(spread.lower(0.025, 1), 0.25);
  EXPECT_EQ(spread.upper(0.025, 1), 0.25);
  EXPECT_EQ(spread.absolute(0.95, 1), 0.25);
}

}  // namespace
}  // namespace rpl
