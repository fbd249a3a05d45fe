// SPDX-License-Identifier: MIT
#include "engine/base/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace rpl {
namespace {

TEST(Numbers, AWholeTextIsANumberOrNothing) {
  EXPECT_EQ(whole_number<int>("42"), 42);
  EXPECT_EQ(whole_number<int>("-42"), -42);
  EXPECT_EQ(whole_number<double>("1.5e3"), 1500);
  EXPECT_EQ(whole_number<std::uint32_t>("ff", 16), 255);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "x", "0x10", "1.5"})
    EXPECT_EQ(whole_number<int>(text), std::nullopt) << text;
  EXPECT_EQ(whole_number<std::uint32_t>("-1"), std::nullopt);
}

TEST(Numbers, WhatDoesNotFitIsNone) {
  EXPECT_EQ(whole_number<std::uint8_t>("255"), 255);
  EXPECT_EQ(whole_number<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(whole_number<std::int64_t>("-9223372036854775808"),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(whole_number<std::int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(whole_number<float>("1e39"), std::nullopt);
}

TEST(Numbers, HexadecimalIsSaid) {
  EXPECT_EQ(decimal_or_hex("0x10"), 16);
  EXPECT_EQ(decimal_or_hex("0Xff"), 255);
  EXPECT_EQ(decimal_or_hex("10"), 10);
  for (const char* text : {"", "0x", "ff", "0x1g", "-1"})
    EXPECT_EQ(decimal_or_hex(text), std::nullopt) << text;
}

TEST(Numbers, TakesWhatTheTextBeginsWith) {
  std::string_view text = "12,-3rest";
  EXPECT_EQ(take_number<int>(text), 12);
  EXPECT_EQ(text, ",-3rest");
  EXPECT_EQ(take_number<int>(text), std::nullopt);
  EXPECT_EQ(text, ",-3rest");
  text.remove_prefix(1);
  EXPECT_EQ(take_number<int>(text), -3);
  EXPECT_EQ(text, "rest");
  text = "99999999999 more";
  EXPECT_EQ(take_number<std::uint32_t>(text), std::nullopt);
  EXPECT_EQ(text, "99999999999 more");
}

TEST(Numbers, HandlesAreWrittenInManyWays) {
  EXPECT_EQ(parse_handle("(nil)"), 0);
  EXPECT_EQ(parse_handle("0x7f00"), 0x7f00);
  EXPECT_EQ(parse_handle("-1"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_handle("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_handle("-"), std::nullopt);
  EXPECT_EQ(parse_handle("handle"), std::nullopt);
}

TEST(Numbers, AnIdEndsInDigits) {
  EXPECT_EQ(trailing_number("Agent 4"), 4);
  EXPECT_EQ(trailing_number("17"), 17);
  EXPECT_EQ(trailing_number("Agent"), std::nullopt);
}

}  // namespace
}  // namespace rpl
