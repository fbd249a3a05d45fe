// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/decision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rpl {
namespace {

Decision decided(const Samples& samples, const DecisionRule& rule = {}) {
  const auto decision = decide(samples, rule);
  EXPECT_TRUE(decision.has_value());
  return decision.value_or(Decision{});
}

Samples modelled(double a, double b) {
  return {.processes = {{{.a_ns = {a}, .b_ns = {b}}}}, .deterministic = true};
}

/// Times around 100 us with noise between dispatches, blocks and processes, and a slow first block; b is faster by `gain`.
Samples noisy(double gain, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> dispatch(0, 0.01), block(0, 0.004), process(0, 0.002);
  Samples out;
  for (int p = 0; p < 5; ++p) {
    const double of_process = process(random);
    auto& blocks = out.processes.emplace_back();
    for (int b = 0; b < 7; ++b) {
      const double slow = b == 0 ? 0.3 : 0;
      MeasuredBlock& made = blocks.emplace_back();
      const double of_block = block(random);
      for (int k = 0; k < 8; ++k) {
        made.a_ns.push_back(1e5 * std::exp(dispatch(random) + slow));
        made.b_ns.push_back(1e5 / (1 + gain) * std::exp(dispatch(random) + of_block + of_process));
      }
    }
  }
  return out;
}

TEST(Decide, ModelledTimeNeedsNoSpread) {
  const Decision decision = decided(modelled(1200, 1000));
  EXPECT_EQ(decision.verdict, Verdict::improved);
  EXPECT_DOUBLE_EQ(decision.ratio, 1.2);
  EXPECT_EQ(decision.ci_low, decision.ci_high);
  EXPECT_EQ(decision.design, "1 process × 1 block × 1 dispatch, modelled");
  EXPECT_EQ(decision.samples, 2U);
}

Samples banded(double a, double b, double half_width) {
  Samples out = modelled(a, b);
  out.model_band = half_width;
  return out;
}

TEST(Decide, TheBandOfTheModelIsTheIntervalAndMustExcludeOne) {
  const Decision decision = decided(banded(1200, 1000, 0.1));
  EXPECT_EQ(decision.verdict, Verdict::improved);
  EXPECT_DOUBLE_EQ(decision.ci_low, 1.2 / 1.1);
  EXPECT_DOUBLE_EQ(decision.ci_high, 1.2 * 1.1);
  EXPECT_EQ(decision.floor, 0);
  EXPECT_EQ(decided(banded(1200, 1000, 0.25)).verdict, Verdict::undecided);
  EXPECT_EQ(decided(banded(1000, 1000, 0.1)).verdict, Verdict::undecided);
  EXPECT_EQ(decided(banded(1000, 1200, 0.1)).verdict, Verdict::regression);
}

TEST(Decide, WhoAsksForMoreThanTheModelCanTellGetsIt) {
  EXPECT_EQ(decided(banded(1200, 1000, 0.1), {.min_improvement = 0.05}).verdict, Verdict::improved);
  EXPECT_EQ(decided(banded(1200, 1000, 0.1), {.min_improvement = 0.1}).verdict, Verdict::undecided);
}

TEST(Decide, EvidenceWithoutABandIsDecidedAsItWas) {
  const DecisionInput now{.rule = {}, .looks = {}, .samples = banded(1050, 1000, 0.1)};
  const auto kept = decision_input_from(to_value(now));
  ASSERT_TRUE(kept.has_value()) << kept.error().message;
  EXPECT_EQ(kept->samples.model_band, 0.1);
  EXPECT_EQ(decided(kept->samples).verdict, Verdict::undecided);
  const DecisionInput before{.rule = {}, .looks = {}, .samples = modelled(1050, 1000)};
  const auto older = decision_input_from(to_value(before));
  ASSERT_TRUE(older.has_value());
  EXPECT_FALSE(older->samples.model_band.has_value());
  EXPECT_EQ(decided(older->samples).verdict, Verdict::improved);
}

TEST(Decide, EverythingWithinTheFloorIsEquivalent) {
  EXPECT_EQ(decided(modelled(1009, 1000)).verdict, Verdict::equivalent);
  EXPECT_EQ(decided(modelled(1000, 1009)).verdict, Verdict::equivalent);
  EXPECT_EQ(decided(modelled(1000, 1020)).verdict, Verdict::regression);
  EXPECT_EQ(decided(modelled(1020, 1000)).verdict, Verdict::improved);
}

TEST(Decide, TheFloorIsTheLargestOfThree) {
  EXPECT_EQ(decided(modelled(1040, 1000), {.min_improvement = 0.05}).verdict, Verdict::equivalent);
  EXPECT_EQ(decided(modelled(1040, 1000), {.noise_floor = 0.05}).verdict, Verdict::equivalent);
  EXPECT_DOUBLE_EQ(decided(modelled(1040, 1000), {.min_improvement = 0}).floor, 0.01);
}

TEST(Decide, NoiseAloneIsNeverAnImprovement) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    EXPECT_NE(decided(noisy(0, seed)).verdict, Verdict::improved) << seed;
  }
}

TEST(Decide, AClearGainIsFoundInSpiteOfNoise) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Decision decision = decided(noisy(0.05, seed));
    EXPECT_EQ(decision.verdict, Verdict::improved) << seed;
    EXPECT_LT(decision.ci_low, decision.ratio);
    EXPECT_GT(decision.ci_high, decision.ratio);
  }
}

TEST(Decide, IsRepeatable) {
  const Decision one = decided(noisy(0.02, 7)), two = decided(noisy(0.02, 7));
  EXPECT_EQ(one.ci_low, two.ci_low);
  EXPECT_EQ(one.ci_high, two.ci_high);
}

TEST(Decide, OneMeasuredBlockSaysNothingAboutTheSpread) {
  Samples samples = modelled(2000, 1000);
  samples.deterministic = false;
  EXPECT_EQ(decided(samples).verdict, Verdict::undecided);
}

TEST(Decide, RefusesWhatIsNoMeasurement) {
  EXPECT_EQ(decide(Samples{}).error().code, Errc::corrupt);
  EXPECT_EQ(decide(modelled(0, 1)).error().code, Errc::corrupt);
  EXPECT_EQ(decide(modelled(1, NAN)).error().code, Errc::corrupt);
  EXPECT_EQ(decide({.processes = {{{.a_ns = {1}, .b_ns = {}}}}}).error().code, Errc::corrupt);
}

}  // namespace
}  // namespace rpl
