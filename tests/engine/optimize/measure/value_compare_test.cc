// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/value_compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

template <class T>
ValueComparison compared(Element element, std::vector<T> expected, std::vector<T> found,
                         Tolerance tolerance) {
  return compare_values(element, std::as_bytes(std::span(expected)),
                        std::as_bytes(std::span(found)), tolerance);
}

ValueComparison floats(std::vector<float> expected, std::vector<float> found) {
  return compared(Element::f32, std::move(expected), std::move(found),
                  default_tolerance(Element::f32));
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(CompareValues, SaysWhereAndHowFar) {
  const ValueComparison result = floats({1, 2, 4, 8}, {1, 2, 5, 8.5});
  EXPECT_EQ(result.elements, 4U);
  EXPECT_EQ(result.mismatches, 2U);
  EXPECT_EQ(result.first_index, 2U);
  EXPECT_EQ(result.first_expected, "4");
  EXPECT_EQ(result.first_found, "5");
  EXPECT_DOUBLE_EQ(result.max_absolute, 1);
  EXPECT_DOUBLE_EQ(result.max_relative, 0.25);
}

TEST(CompareValues, WhatIsNotComparedForAnInterruptionIsNotEqual) {
  EXPECT_EQ(floats({1, 2}, {1, 2.000001f}).mismatches, 0U);
  const interrupt::ForNow stopped;
  EXPECT_GT(floats({1, 2}, {1, 2.000001f}).mismatches, 0U);
}

TEST(CompareValues, LastBitsAreWithinTheToleranceOfTheType) {
  const float next = std::nextafter(1.0f, 2.0f);
  const ValueComparison result = floats({1, 100}, {next, 100});
  EXPECT_EQ(result.mismatches, 0U);
  EXPECT_EQ(result.max_ulp, 1U);
  EXPECT_EQ(compared<float>(Element::f32, {1}, {next}, {.exact = true}).mismatches, 1U);
  EXPECT_EQ(floats({1}, {1.0001f}).mismatches, 1U);
}

TEST(CompareValues, SmallValuesMayBeOffByAShareOfTheTypicalSize) {
  EXPECT_EQ(floats({1000, 1000, 0}, {1000, 1000, 1e-4f}).mismatches, 0U);
  EXPECT_EQ(floats({1, 1, 0}, {1, 1, 1e-4f}).mismatches, 1U);
}

TEST(CompareValues, NanAndInfinityAgreeOnlyWithThemselves) {
  EXPECT_EQ(floats({kNan, kInfinity, -kInfinity}, {kNan, kInfinity, -kInfinity}).mismatches, 0U);
  EXPECT_EQ(floats({kNan, 1, kInfinity, kInfinity}, {1, kNan, -kInfinity, 1e38f}).mismatches, 4U);
}

TEST(CompareValues, ZerosDifferOnlyBitByBit) {
  EXPECT_EQ(floats({0}, {-0.0f}).mismatches, 0U);
  EXPECT_EQ(compared<float>(Element::f32, {0}, {-0.0f}, {.exact = true}).mismatches, 1U);
  EXPECT_EQ(floats({0.0f, 1e-30f}, {-0.0f, -1e-30f}).max_ulp, 2U * 228737632U);
}

TEST(CompareValues, IntegersAreExact) {
  const auto ints = [](std::vector<std::int64_t> expected, std::vector<std::int64_t> found) {
    return compared(Element::i64, std::move(expected), std::move(found),
                    default_tolerance(Element::i64));
  };
  EXPECT_EQ(ints({1LL << 60, -1}, {1LL << 60, -1}).mismatches, 0U);
  const ValueComparison result = ints({(1LL << 60) + 1, -1}, {1LL << 60, -1});
  EXPECT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.first_expected, "1152921504606846977");
}

TEST(CompareValues, HalvesAreReadAsHalves) {
  const auto halves = [](Element element, std::uint16_t expected, std::uint16_t found) {
    return compared<std::uint16_t>(element, {expected, 0x3c00}, {found, 0x3c00},
                                   default_tolerance(element));
  };
  EXPECT_EQ(halves(Element::f16, 0x3c00, 0x3c01).mismatches, 0U);  // 1 and its neighbour
  EXPECT_EQ(halves(Element::f16, 0x3c00, 0x3c10).mismatches, 1U);
  EXPECT_EQ(halves(Element::f16, 0x3c00, 0x3c10).max_ulp, 16U);
  EXPECT_EQ(halves(Element::bf16, 0x3f80, 0x3f81).mismatches, 0U);
  EXPECT_EQ(halves(Element::bf16, 0x3f80, 0x3f90).first_found, "1.125");
}

// Of a thousand elements, a factor is seen that no single one shows.
TEST(BiasOf, SeesAFactorAndNoRounding) {
  std::vector<float> expected(1000), factor(1000), rounded(1000);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = 0.5F + static_cast<float>(i * 37 % 1000) / 999;
    factor[i] = expected[i] * 1.000001F;
    rounded[i] = std::nextafter(expected[i], i % 2 == 0 ? 9.0F : 0.0F);
  }
  // What cancels differs by much, to either side, and does not hide the rest.
  factor[3] = -expected[3];
  factor[4] = 5 * expected[4];
  const auto bytes = [](const std::vector<float>& of) { return std::as_bytes(std::span(of)); };
  const Bias same = bias_of(Element::f32, bytes(expected), bytes(expected));
  EXPECT_EQ(same.mean, 0);
  const Bias biased = bias_of(Element::f32, bytes(expected), bytes(factor));
  EXPECT_EQ(biased.elements, 1000U);
  EXPECT_NEAR(biased.mean, 1e-6, 5e-8);
  EXPECT_GT(biased.mean, 6 * biased.error);
  const Bias honest = bias_of(Element::f32, bytes(expected), bytes(rounded));
  EXPECT_LT(std::abs(honest.mean), unit_in_last_place(Element::f32) / 4);
  EXPECT_EQ(bias_of(Element::u32, bytes(expected), bytes(factor)).elements, 0U);
}

}  // namespace
}  // namespace rpl
