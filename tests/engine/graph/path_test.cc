// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/engine/graph/graph_of.h"

namespace rpl::testing {
namespace {

TEST(CriticalPath, PartitionsTheSpanIntoKernelsAndGaps) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 15, 40}, {"a", 0, 0, 40, 45}});
  const CriticalPath path = path_of(*graph);
  EXPECT_EQ(path.span_ns, 45);
  EXPECT_EQ(nanoseconds(path, SegmentKind::kernel), 40);
  EXPECT_EQ(nanoseconds(path, SegmentKind::idle), 5);
  EXPECT_EQ(path.operations, 3U);
}

TEST(CriticalPath, NamesTheDominantKernelAndItsCeiling) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 10, 40}});
  const CriticalPath path = path_of(*graph);
  ASSERT_TRUE(path.dominant_kernel.has_value());
  EXPECT_EQ(graph->trace().kernels()[*path.dominant_kernel].name, "b");
  EXPECT_DOUBLE_EQ(path.dominance_fraction, 0.75);
  EXPECT_DOUBLE_EQ(path.ceiling_speedup.value(), 4.0);
}

TEST(CriticalPath, HasNoCeilingWhenOneKernelIsAll) {
  EXPECT_FALSE(path_of(*graph_of({{"a", 0, 0, 0, 10}})).ceiling_speedup.has_value());
}

TEST(CriticalPath, FollowsWhatArrivedLast) {
  const auto graph =
      graph_of({{"long", 1, 1, 0, 50}, {"short", 0, 0, 0, 10}, {"end", 0, 0, 52, 60}});
  const CriticalPath path = path_of(*graph);
  EXPECT_TRUE(path.on_path[0]);
  EXPECT_FALSE(path.on_path[1]);
  EXPECT_EQ(path.edges[static_cast<std::size_t>(EdgeClass::inferred)], 1U);
}

TEST(CriticalPath, CutsOverlapSoThatItNeverExceedsTheSpan) {
  const auto graph = graph_of({{"a", 0, 0, 0, 1000}, {"b", 0, 0, 900, 1900}});
  const CriticalPath path = path_of(*graph);
  EXPECT_EQ(path.span_ns, 1900);
  EXPECT_EQ(path.critical_path_ns, 1900);
}

TEST(CriticalPath, OfNothingIsNothing) {
  const CriticalPath path = path_of(*graph_of(std::vector<TinyOp>()));
  EXPECT_EQ(path.span_ns, 0);
  EXPECT_EQ(path.operations, 0U);
  EXPECT_FALSE(path.dominant_kernel.has_value());
}

TEST(CriticalPath, TakesANegativeDurationForNone) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 20, 5}, {"c", 0, 0, 22, 30}});
  const CriticalPath path = path_of(*graph);
  EXPECT_EQ(nanoseconds(path, SegmentKind::kernel), 18);
  EXPECT_EQ(nanoseconds(path, SegmentKind::idle), 12);
}

TEST(CriticalPath, CountsCopies) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 0, 10}, {"b", 0, 0, 30, 40}};
  tiny.copies = {{0, 10, 30}};
  const CriticalPath path = path_of(*graph_of(tiny));
  EXPECT_EQ(nanoseconds(path, SegmentKind::copy), 20);
  EXPECT_EQ(path.critical_path_ns, 40);
}

TEST(CriticalPath, LeavesGainsBeyondTheBudgetUnknown) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 10, 40}, {"c", 1, 1, 0, 5}});
  const Slack slack = Slack::compute(*graph).value();
  const auto path = critical_path(*graph, slack, {.simulated_operations = 3}).value();
  EXPECT_DOUBLE_EQ(path.kernels[0].gain_if_2x.value(), 15.0 / 40);
  EXPECT_FALSE(path.kernels[1].gain_if_2x.has_value());
  EXPECT_EQ(path.kernels[2].gain_if_2x.value(), 0);
}

TEST(SegmentCursor, GivesThePathFromItsEnd) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 15, 40}});
  SegmentCursor cursor(*graph);
  PathSegment segment;
  std::vector<std::int64_t> starts;
  while (cursor.next(segment)) starts.push_back(segment.start_ns);
  EXPECT_EQ(starts, (std::vector<std::int64_t>{15, 10, 0}));
}

TEST(Walk, StartsAnywhereAndStopsAtItsLimit) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 10, 20}, {"c", 0, 0, 20, 30}});
  Walk walk(*graph, 1, 5);
  WalkStep step;
  ASSERT_TRUE(walk.next(step));
  EXPECT_EQ(step.node, 1U);
  EXPECT_EQ(step.via, EdgeClass::stream_order);
  ASSERT_TRUE(walk.next(step));
  EXPECT_EQ(step.begin_ns, 5);
  EXPECT_FALSE(walk.next(step));
}

TEST(Slack, IsWhatAnOperationCouldTakeLonger) {
  const auto graph =
      graph_of({{"long", 1, 1, 0, 50}, {"short", 0, 0, 0, 10}, {"end", 0, 0, 52, 60}});
  const Slack slack = Slack::compute(*graph).value();
  EXPECT_EQ(slack.at(0), 0);
  EXPECT_EQ(slack.at(1), 40);
  EXPECT_EQ(slack.at(2), 0);
}

TEST(Slack, HoldsValuesBeyondFourSeconds) {
  constexpr std::int64_t kMinute_ns = 60'000'000'000;
  const auto graph = graph_of({{"early", 0, 0, 0, 10}, {"late", 1, 1, 5, kMinute_ns}});
  const Slack slack = Slack::compute(*graph).value();
  EXPECT_EQ(slack.at(0), kMinute_ns - 10);
  EXPECT_EQ(slack.at(1), 0);
}

TEST(Graph, RefusesTimesAcrossAges) {
  const auto trace = tiny_trace({{"a", 0, 0, std::numeric_limits<std::int64_t>::min() / 2, 0}});
  const auto graph = Graph::build(trace);
  ASSERT_FALSE(graph.has_value());
  EXPECT_EQ(graph.error().code, Errc::corrupt);
}

}  // namespace
}  // namespace rpl::testing
