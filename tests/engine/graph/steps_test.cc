// SPDX-License-Identifier: MIT
#include "engine/graph/steps.h"

#include <gtest/gtest.h>

#include "tests/engine/graph/graph_of.h"

namespace rpl::testing {
namespace {

/// Rounds of four kernels of 10 ns, the second twice; 5 ns of gap before the last, 30 between rounds; `first` takes longer.
TinyTrace loop(int rounds, std::int64_t first = 0) {
  TinyTrace tiny;
  std::int64_t at = 100;
  tiny.ops.push_back({"setup", 0, 0, 0, 10});
  for (int i = 0; i < rounds; ++i) {
    for (const char* kernel : {"begin", "inner", "inner"}) {
      tiny.ops.push_back({kernel, 0, 0, at, at + 10});
      at += 10;
    }
    at += 5 + (i == 0 ? first : 0);
    tiny.ops.push_back({"end", 0, 0, at, at + 10});
    at += 10 + 30;
  }
  return tiny;
}

TEST(Steps, AreTheRoundsOfTheOuterLoop) {
  const LoopSteps steps = find_steps(*graph_of(loop(6))).value();
  ASSERT_EQ(steps.by, LoopSteps::By::kernels);
  EXPECT_EQ(steps.steps.size(), 6U);
  EXPECT_EQ(steps.kernels, 4U);
  EXPECT_EQ(steps.median_ns, 75);
  EXPECT_EQ(steps.warm, 0U);
  EXPECT_EQ(steps.steps[1].start_ns, 175);
  EXPECT_EQ(steps.steps[1].operations, 4U);
  EXPECT_EQ(steps.steps[1].busy_ns, 40);
  EXPECT_EQ(steps.steps[1].idle_ns(), 35);
}

TEST(Steps, SayWhereTheyIdleInEachRoundAndWhatIsOutside) {
  const LoopSteps steps = find_steps(*graph_of(loop(6))).value();
  ASSERT_EQ(steps.rhythm.size(), 2U);
  EXPECT_EQ(steps.rhythm[0].total_ns, 5 * 30);
  EXPECT_EQ(steps.rhythm[1].total_ns, 6 * 5);
  EXPECT_EQ(steps.rhythm[1].median_ns, 5);
  ASSERT_EQ(steps.others.size(), 1U);
  EXPECT_EQ(steps.others[0].total_ns, 90);
}

TEST(Steps, ThatWarmUpAreCounted) {
  const LoopSteps steps = find_steps(*graph_of(loop(6, 500))).value();
  EXPECT_EQ(steps.warm, 1U);
  EXPECT_EQ(steps.median_ns, 75);
}

TEST(Steps, OfMarkersComeFirst) {
  TinyTrace tiny = loop(6);
  for (int i = 0; i < 3; ++i) {
    Marker marker;
    marker.start_ns = 100 + 150 * i;
    marker.end_ns = 240 + 150 * i;
    marker.text = "epoch " + std::to_string(i);
    tiny.markers.push_back(marker);
  }
  const LoopSteps steps = find_steps(*graph_of(tiny)).value();
  ASSERT_EQ(steps.by, LoopSteps::By::markers);
  EXPECT_EQ(steps.marker, "epoch #");
  EXPECT_EQ(steps.steps.size(), 3U);
  EXPECT_EQ(steps.steps[0].operations, 8U);
}

TEST(Steps, AreNotFoundWhereNothingRepeats) {
  TinyTrace tiny;
  for (int i = 0; i < 30; ++i)
    tiny.ops.push_back({"k" + std::to_string(i), 0, 0, 10 * i, 10 * i + 5});
  const LoopSteps steps = find_steps(*graph_of(tiny)).value();
  EXPECT_FALSE(steps.found());
  EXPECT_EQ(steps.rhythm.size(), 0U);
  EXPECT_EQ(steps.others.size(), 29U);
}

}  // namespace
}  // namespace rpl::testing
