// SPDX-License-Identifier: MIT
#include "engine/base/decimal.h"

#include <gtest/gtest.h>

#include <limits>

namespace rpl {
namespace {

std::int64_t value(std::string_view text) {
  const auto number = rounded_decimal(text);
  EXPECT_TRUE(number.has_value()) << text;
  return number.value_or(RoundedDecimal{-424242}).value;
}

std::int64_t last_digit(std::string_view text) { return rounded_decimal(text).value().last_digit; }

TEST(RoundedDecimal, IsExactWhereADoubleIsNot) {
  EXPECT_EQ(value("810970123456789012"), 810970123456789012);
  EXPECT_EQ(value("810970123456789012.4"), 810970123456789012);
  EXPECT_EQ(value("8.10970123456789012e17"), 810970123456789012);
  EXPECT_EQ(value("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
}

TEST(RoundedDecimal, RoundsHalfUp) {
  EXPECT_EQ(value("5000.25"), 5000);
  EXPECT_EQ(value("5000.5"), 5001);
  EXPECT_EQ(value("0.4999999999999999999999"), 0);
  EXPECT_EQ(value("-2.5"), -2);
  EXPECT_EQ(value("-2.51"), -3);
  EXPECT_EQ(value("5e-1"), 1);
  EXPECT_EQ(value("5e-2"), 0);
  EXPECT_EQ(value("99.99"), 100);
}

TEST(RoundedDecimal, MovesThePointByTheExponent) {
  EXPECT_EQ(value("1.000e+3"), 1000);
  EXPECT_EQ(value("2.5E3"), 2500);
  EXPECT_EQ(value("0.0001e7"), 1000);
  EXPECT_EQ(value("123456e-3"), 123);
  EXPECT_EQ(value("0e999999999"), 0);
  EXPECT_EQ(value("7e-999999999"), 0);
  EXPECT_EQ(value(".5e1"), 5);
  EXPECT_EQ(value("7."), 7);
}

TEST(RoundedDecimal, SaysWhatTheLastDigitIsWorth) {
  EXPECT_EQ(last_digit("7000"), 1);
  EXPECT_EQ(last_digit("7000.25"), 1);
  EXPECT_EQ(last_digit("7.000e3"), 1);
  EXPECT_EQ(last_digit("2.5e+3"), 100);
  EXPECT_EQ(last_digit("8.1097E+14"), 10'000'000'000);
}

TEST(RoundedDecimal, IsNothingElse) {
  for (const char* text :
       {"", "-", ".", "+1", " 1", "1 ", "1,5", "1e", "1e+", "1e+-3", "e5", "nan", "inf", "0x10",
        "1.2.3", "9223372036854775808", "9223372036854775807.5", "1e19", "1e2147483648"})
    EXPECT_FALSE(rounded_decimal(text).has_value()) << text;
}

}  // namespace
}  // namespace rpl
