// SPDX-License-Identifier: MIT
#include "engine/tune/search/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kNames{"M", "N", "MODE", "FAST"};
const Value kM(64), kN(32), kMode("tiled"), kFast(true);
const std::vector<const Value*> kValues{&kM, &kN, &kMode, &kFast};

bool holds(std::string_view text) {
  const auto parsed = Constraint::parse(text, kNames);
  EXPECT_TRUE(parsed) << parsed.error().message;
  const auto found = parsed ? parsed->holds(kValues) : false;
  EXPECT_TRUE(found) << found.error().message;
  return found && *found;
}

TEST(Constraint, CalculatesAndCompares) {
  EXPECT_TRUE(holds("M * N <= 2048"));
  EXPECT_FALSE(holds("M * N < 2048"));
  EXPECT_TRUE(holds("M + N == 96 and M - N == 32"));
  EXPECT_TRUE(holds("M / N == 2 && M % 7 == 1 && M // 10 == 6"));
  EXPECT_TRUE(holds("-M + 100 == 36"));
  EXPECT_TRUE(holds("16 < N < M <= 64"));
  EXPECT_FALSE(holds("16 < N < 20"));
  EXPECT_TRUE(holds("min(M, N) == 32 and max(M, N) == 64 and log2(M) == 6"));
  EXPECT_TRUE(holds("2 + 3 * 4 == 14 and (2 + 3) * 4 == 20"));
}

TEST(Constraint, GivesWhatItCalculates) {
  const auto value = [](std::string_view text) {
    return Constraint::parse(text, kNames)->calculated(kValues);
  };
  EXPECT_EQ(*value("-(-100 // M) * 3"), 6);
  EXPECT_EQ(*value("max(M, N) / 128"), 0.5);
  for (const char* text : {"MODE", "M // 0", "log2(0 - M)", "M + MODE"})
    EXPECT_EQ(value(text).error().code, Errc::usage) << text;
}

TEST(Constraint, JoinsAndInverts) {
  EXPECT_TRUE(holds("M == 1 or N == 32"));
  EXPECT_TRUE(holds("M == 1 || N == 32 and M == 64"));
  EXPECT_FALSE(holds("not M == 64"));
  EXPECT_TRUE(holds("!(M == 63) and not not FAST"));
  EXPECT_TRUE(holds("MODE == 'tiled' and MODE != \"plain\" and FAST == true"));
  EXPECT_TRUE(holds("MODE != 3"));
}

TEST(Constraint, KnowsItsParameters) {
  const auto parsed = Constraint::parse("N > 1 and M > N", kNames);
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->parameters(), ElementsAre(0, 1));
}

TEST(Constraint, SaysWhereItIsWrong) {
  for (const char* text : {"", "M *", "M ** N", "(M", "M == 'a", "UNKNOWN > 1", "M N", "min(M)",
                           "M = 3", "1 +", "$"}) {
    const auto parsed = Constraint::parse(text, kNames);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Errc::usage) << text;
    EXPECT_THAT(parsed.error().message, HasSubstr("column")) << text;
  }
  EXPECT_THAT(Constraint::parse("UNKNOWN > 1", kNames).error().message, HasSubstr("UNKNOWN"));
}

TEST(Constraint, RefusesWhatNestsTooDeeply) {
  EXPECT_FALSE(Constraint::parse(std::string(1000, '(') + "1" + std::string(1000, ')'), kNames));
  EXPECT_FALSE(Constraint::parse(std::string(1000, '-') + "1", kNames));
  EXPECT_FALSE(Constraint::parse(std::string(1000, '!') + "1", kNames));
  EXPECT_FALSE(Constraint::parse(std::string(5000, '1'), kNames));
}

TEST(Constraint, FailsWhereItCannotBeAnswered) {
  for (const char* text : {"MODE > 3", "MODE * 2 == 1", "M / (N - 32) > 1", "M % 0 == 0"}) {
    const auto parsed = Constraint::parse(text, kNames);
    ASSERT_TRUE(parsed) << text;
    EXPECT_FALSE(parsed->holds(kValues)) << text;
  }
}

}  // namespace
}  // namespace rpl::tune
