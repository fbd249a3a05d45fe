// SPDX-License-Identifier: MIT
#include "engine/graph/overlap.h"

#include <gtest/gtest.h>

#include "tests/engine/graph/graph_of.h"
#include "tests/engine/graph/random_trace.h"

namespace rpl::testing {
namespace {

OverlapReport overlap_of(const Graph& graph) {
  return find_overlap(graph, path_of(graph).on_path).value();
}

TEST(OverlapPotential, FindsNeighboursThatNothingOrders) {
  const auto graph = graph_of({{"a", 0, 0, 0, 100}, {"b", 1, 1, 100, 160}});
  const OverlapReport report = overlap_of(*graph);
  ASSERT_EQ(report.potential.size(), 1U);
  EXPECT_EQ(report.potential[0].pairs, 1U);
  EXPECT_EQ(report.potential[0].could_save_ns, 60);
  EXPECT_EQ(report.potential[0].on_path_ns, 60);
}

TEST(OverlapPotential, RespectsWhatTheLaterOneWaitedFor) {
  const auto graph = graph_of({{"w", 1, 1, 0, 70}, {"a", 0, 0, 0, 100}, {"b", 1, 1, 100, 160}});
  const OverlapReport report = overlap_of(*graph);
  ASSERT_EQ(report.potential.size(), 1U);
  EXPECT_EQ(report.potential[0].could_save_ns, 30);
}

TEST(OverlapPotential, IsNoneWithinAStream) {
  EXPECT_TRUE(
      overlap_of(*graph_of({{"a", 0, 0, 0, 100}, {"b", 0, 0, 100, 160}})).potential.empty());
}

TEST(OverlapMeasured, SaysHowLongStreamsRanTogether) {
  const auto graph = graph_of({{"a", 0, 0, 0, 100}, {"b", 1, 1, 60, 160}, {"c", 1, 1, 170, 180}});
  const OverlapReport report = overlap_of(*graph);
  EXPECT_EQ(report.busy_ns, 170);
  EXPECT_EQ(report.concurrent_ns, 40);
  ASSERT_EQ(report.streams.size(), 2U);
  EXPECT_EQ(report.streams[0].stream, 1U);
  EXPECT_EQ(report.streams[0].busy_ns, 110);
  EXPECT_EQ(report.streams[0].overlapped_ns, 40);
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].both_ns, 40);
}

TEST(OverlapMeasured, TellsQueuesApartWhereStreamsAreUnknown) {
  const OverlapReport report = overlap_of(*graph_of({{"a", -1, 0, 0, 100}, {"b", -1, 1, 60, 160}}));
  ASSERT_EQ(report.streams.size(), 2U);
  EXPECT_EQ(report.streams[0].queue + report.streams[1].queue, 1U);
  EXPECT_EQ(report.concurrent_ns, 40);
}

/// Nanoseconds in which at least `streams` streams were busy.
std::int64_t plainly_busy(const Graph& graph, std::size_t streams) {
  std::int64_t count = 0;
  for (std::int64_t t = graph.span_ns().first; t < graph.span_ns().second; ++t) {
    std::vector<std::uint32_t> busy;
    for (NodeId v = 0; v < graph.dispatches(); ++v) {
      const std::uint32_t stream = graph.trace().lane(v).stream;
      if (graph.start_ns(v) <= t && t < graph.end_ns(v)) busy.push_back(stream);
    }
    std::ranges::sort(busy);
    busy.erase(std::unique(busy.begin(), busy.end()), busy.end());
    count += busy.size() >= streams ? 1 : 0;
  }
  return count;
}

TEST(OverlapMeasured, EqualsCountingNanoseconds) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const auto graph = graph_of(random_trace(seed, {.queues = 1, .weird = seed % 2 == 0}));
    const OverlapReport report = overlap_of(*graph);
    EXPECT_EQ(report.busy_ns, plainly_busy(*graph, 1)) << seed;
    EXPECT_EQ(report.concurrent_ns, plainly_busy(*graph, 2)) << seed;
  }
}

}  // namespace
}  // namespace rpl::testing
