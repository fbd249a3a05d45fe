// SPDX-License-Identifier: MIT
#include "engine/plot/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Ticks, AreRoundAndCountFromTheOrigin) {
  EXPECT_THAT(round_ticks(0, 100, 0, 5), ElementsAre(0, 20, 40, 60, 80));
  EXPECT_THAT(round_ticks(1'003, 1'103, 1'000, 2), ElementsAre(1'050, 1'100));
  EXPECT_THAT(round_ticks(-15, 15, 0, 3), ElementsAre(-10, 0, 10));
}

TEST(Ticks, ExistInEveryWindowThatIsNotEmpty) {
  EXPECT_THAT(round_ticks(7, 8, 0, 4), ElementsAre(7, 8));
  EXPECT_THAT(round_ticks(5, 5, 0, 4), IsEmpty());
  EXPECT_THAT(round_ticks(5, 4, 0, 4), IsEmpty());
  EXPECT_THAT(round_ticks(0, 100, 0, 0), IsEmpty());
}

TEST(Ticks, SurviveTheLongestWindow) { EXPECT_FALSE(round_ticks(0, INT64_MAX - 1, 0, 10).empty()); }

}  // namespace
}  // namespace rpl
