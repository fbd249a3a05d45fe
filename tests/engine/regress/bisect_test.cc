// SPDX-License-Identifier: MIT
#include "engine/regress/bisect.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rpl::regress {
namespace {

/// Times of a compiler whose passes from `pass` on make the kernel take `after`.
TimeAt step_at(std::int64_t pass, double before, double after, int& looks) {
  return [=, &looks](std::int64_t passes) -> Result<std::optional<double>> {
    ++looks;
    return std::optional(passes >= pass ? after : before);
  };
}

TEST(Bisect, FindsThePassThatMakesItSlow) {
  for (const std::int64_t pass : {1, 2, 63, 64, 65, 999, 1000}) {
    int looks = 0;
    const auto found = last_crossing(1000, 15, step_at(pass, 10, 20, looks));
    ASSERT_TRUE(found && *found) << pass;
    EXPECT_EQ((*found)->pass, pass);
    EXPECT_EQ((*found)->before, 10);
    EXPECT_EQ((*found)->after, 20);
    EXPECT_LE(looks, 16 + 1 + static_cast<int>(std::ceil(std::log2(1000 / 16))) + 2);
  }
}

TEST(Bisect, FindsThePassThatMakesItFast) {
  int looks = 0;
  const auto found = last_crossing(77, 15, step_at(40, 30, 10, looks));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->pass, 40);
  EXPECT_EQ((*found)->before, 30);
}

TEST(Bisect, WhatDoesNotRunIsNotFast) {
  const auto found =
      last_crossing(50, 15, [](std::int64_t passes) -> Result<std::optional<double>> {
        return passes < 20 ? std::nullopt : std::optional(10.0);
      });
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->pass, 20);
  EXPECT_FALSE((*found)->before);
}

TEST(Bisect, TakesTheLastOfSeveral) {
  const auto found =
      last_crossing(160, 15, [](std::int64_t passes) -> Result<std::optional<double>> {
        return std::optional(passes < 30 || (passes >= 70 && passes < 130) ? 20.0 : 10.0);
      });
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->pass, 130);
}

TEST(Bisect, SaysThatNothingChangesSides) {
  int looks = 0;
  const auto found = last_crossing(1000, 100, step_at(500, 10, 20, looks));
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

TEST(Bisect, EndsAtTheFirstFailure) {
  const auto found = last_crossing(9, 15, [](std::int64_t) -> Result<std::optional<double>> {
    return fail(Errc::interrupted, "stopped");
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Errc::interrupted);
}

}  // namespace
}  // namespace rpl::regress
