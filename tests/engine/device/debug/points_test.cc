// SPDX-License-Identifier: MIT
#include "engine/device/debug/points.h"

#include <gtest/gtest.h>

namespace rpl::debug {
namespace {

TEST(PointTable, NumbersBothKindsInOneRow) {
  Points points;
  EXPECT_FALSE(points.any_enabled());
  EXPECT_EQ(points.add(Breakpoint{}), 1);
  EXPECT_EQ(points.add(Watchpoint{}), 2);
  EXPECT_EQ(points.add(Breakpoint{}), 3);
  EXPECT_TRUE(points.remove(1));
  EXPECT_FALSE(points.remove(1));
  EXPECT_EQ(points.add(Breakpoint{}), 4) << "a number is not given twice";
  points.clear();
  EXPECT_TRUE(points.breakpoints().empty());
  EXPECT_TRUE(points.watchpoints().empty());
}

TEST(PointTable, ChangesItsVersionWithEveryChange) {
  Points points;
  std::uint64_t version = points.version();
  const auto changed = [&] { return std::exchange(version, points.version()) != points.version(); };
  points.add(Watchpoint{});
  EXPECT_TRUE(changed());
  EXPECT_TRUE(points.enable(1, false));
  EXPECT_TRUE(changed());
  EXPECT_FALSE(points.any_enabled());
  points.hit(1);
  EXPECT_FALSE(changed()) << "hits change nothing";
  EXPECT_EQ(points.watchpoints().at(1).hits, 1U);
  EXPECT_FALSE(points.enable(9, true));
}

TEST(PointTable, RemovesTemporaryOnesWhenTheyAreHit) {
  Points points;
  points.add(Breakpoint{.temporary = true});
  points.add(Breakpoint{});
  points.hit(1);
  points.hit(2);
  EXPECT_FALSE(points.breakpoints().contains(1));
  EXPECT_EQ(points.breakpoints().at(2).hits, 1U);
}

}  // namespace
}  // namespace rpl::debug
