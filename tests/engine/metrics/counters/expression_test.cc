// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rpl {
namespace {

std::optional<double> value_of(std::string_view text) {
  const auto expression = Expression::parse(text);
  if (!expression) return std::nullopt;
  return expression->evaluate([](std::string_view name) -> std::optional<double> {
    if (name == "A") return 2;
    if (name == "B_sum") return 5;
    return std::nullopt;
  });
}

TEST(ExpressionTest, Evaluates) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3 - 4 / 2"), 7);
  EXPECT_EQ(value_of("10 - 3 - 2"), 5);
  EXPECT_EQ(value_of("64 * (A + 2 * B_sum)"), 768);
  EXPECT_EQ(value_of("A = 2"), 1);
  EXPECT_EQ(value_of("A = B_sum"), 0);
  EXPECT_EQ(value_of("0.5"), 0.5);
}

TEST(ExpressionTest, UnknownStaysUnknown) {
  EXPECT_EQ(value_of("A + C"), std::nullopt);
  EXPECT_EQ(value_of("0 * C"), std::nullopt);
  EXPECT_EQ(value_of("A / 0"), std::nullopt);
  EXPECT_EQ(value_of("A / (A - 2)"), std::nullopt);
}

TEST(ExpressionTest, NamesInputsOnce) {
  EXPECT_THAT(Expression::parse("A / (A + B)").value().inputs(), testing::ElementsAre("A", "B"));
}

TEST(ExpressionTest, RefusesWhatIsNoFormula) {
  for (const char* text : {"", "+", "1 +", "(1", "1)", "A B", "1 = 2 = 3", "a#b", "*2"}) {
    EXPECT_FALSE(Expression::parse(text).has_value()) << text;
  }
  EXPECT_EQ(Expression::parse(std::string(100, '(') + "1" + std::string(100, ')')).error().code,
            Errc::limit);
  std::string sum = "1";
  for (int i = 0; i < 2000; ++i) sum += "+1";
  EXPECT_EQ(Expression::parse(sum).error().code, Errc::limit);
}

}  // namespace
}  // namespace rpl
