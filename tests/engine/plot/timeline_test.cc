// SPDX-License-Identifier: MIT
#include "engine/plot/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using rpl::testing::tiny_trace;
using rpl::testing::TinyOp;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::shared_ptr<const Graph> graph_of(std::vector<TinyOp> ops) {
  auto graph = Graph::build(tiny_trace(std::move(ops)));
  EXPECT_TRUE(graph.has_value());
  return *graph;
}

TimelineOptions cells(std::size_t count) {
  TimelineOptions options;
  options.cells = count;
  return options;
}

TEST(Timeline, CountsOverlappingOperationsOnce) {
  const auto graph = graph_of({{"a", 0, 0, 0, 60}, {"b", 0, 1, 20, 50}, {"c", 1, 2, 90, 100}});
  const auto timeline = build_timeline(*graph, nullptr, cells(10));
  ASSERT_TRUE(timeline && timeline->rows.size() == 2);
  EXPECT_EQ(timeline->rows[0].busy_ns, 60);
  EXPECT_EQ(timeline->rows[1].busy_ns, 10);
  EXPECT_EQ(timeline->busy_ns, 70);
  EXPECT_THAT(timeline->rows[0].busy, Pointwise(DoubleNear(1e-6), {1, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
}

TEST(Timeline, CutsToItsWindowAndKeepsWhatReachesIntoIt) {
  const auto graph = graph_of({{"a", 0, 0, 0, 50}, {"b", 0, 0, 60, 100}});
  TimelineOptions options = cells(4);
  options.from_ns = 40;
  options.to_ns = 80;
  const auto timeline = build_timeline(*graph, nullptr, options);
  ASSERT_TRUE(timeline && timeline->rows.size() == 1);
  EXPECT_EQ(timeline->rows[0].busy_ns, 30);
  EXPECT_THAT(timeline->rows[0].busy, Pointwise(DoubleNear(1e-6), {1, 0, 1, 1}));
}

TEST(Timeline, ShowsTheBusiestRowsAndCountsTheRest) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"a", 1, 1, 10, 40}, {"a", 2, 2, 40, 60}});
  TimelineOptions options = cells(6);
  options.rows = 2;
  const auto timeline = build_timeline(*graph, nullptr, options);
  ASSERT_TRUE(timeline && timeline->rows.size() == 2);
  EXPECT_EQ(timeline->rows[0].entity, 1U);
  EXPECT_EQ(timeline->rows[1].entity, 2U);
  EXPECT_EQ(timeline->hidden_rows, 1U);
}

TEST(Timeline, MarksThePathAndNamesItsKinds) {
  const auto graph = graph_of({{"a", 0, 0, 0, 50}, {"b", 0, 0, 75, 100}});
  const auto slack = Slack::compute(*graph);
  const auto path = critical_path(*graph, *slack);
  const auto timeline = build_timeline(*graph, &*path, cells(4));
  ASSERT_TRUE(timeline.has_value());
  EXPECT_THAT(timeline->rows[0].on_path, ElementsAre(true, true, false, true));
  EXPECT_THAT(timeline->path, ElementsAre(SegmentKind::kernel, SegmentKind::kernel,
                                          SegmentKind::idle, SegmentKind::kernel));
}

TEST(Timeline, RefusesAWindowThatEndsBeforeItBegins) {
  const auto graph = graph_of({{"a", 0, 0, 0, 50}});
  TimelineOptions options = cells(4);
  options.from_ns = 40;
  options.to_ns = 20;
  EXPECT_EQ(build_timeline(*graph, nullptr, options).error().code, Errc::usage);
}

TEST(Timeline, IsEmptyForAnEmptyTrace) {
  const auto timeline = build_timeline(*graph_of({}), nullptr, cells(4));
  ASSERT_TRUE(timeline.has_value());
  EXPECT_TRUE(timeline->rows.empty());
}

TEST(Timeline, SurvivesOperationsWithoutLength) {
  const auto timeline = build_timeline(*graph_of({{"a", 0, 0, 5, 5}}), nullptr, cells(4));
  ASSERT_TRUE(timeline && timeline->rows.size() == 1);
  EXPECT_GT(timeline->rows[0].busy[0], 0);
}

}  // namespace
}  // namespace rpl
