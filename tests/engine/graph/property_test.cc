// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <tuple>

#include "engine/graph/gaps.h"
#include "engine/graph/overlap.h"
#include "engine/graph/what_if.h"
#include "tests/engine/graph/graph_of.h"
#include "tests/engine/graph/random_trace.h"
#include "tests/engine/graph/reference_simulation.h"

namespace rpl::testing {
namespace {

/// Shapes from plain to impossible, by seed.
RandomShape shape_of(std::uint32_t seed) {
  RandomShape shape;
  shape.ops = 1 + seed % 40;
  shape.streams = 1 + static_cast<int>(seed % 5);
  shape.queues = 1 + static_cast<int>(seed / 2 % 3);
  shape.agents = 1 + seed / 3 % 2;
  shape.processes = 1 + seed / 7 % 2;
  shape.copies = seed / 5 % 3 * 4;
  shape.host = seed % 2 == 1;
  shape.weird = seed / 4 % 2 == 1;
  shape.unknown_streams = seed % 11 == 0;
  return shape;
}

class RandomGraphs : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kSeeds = 600;

  template <class Check>
  void each(Check&& check) {
    for (std::uint32_t seed = 0; seed < kSeeds && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE(seed);
      check(*graph_of(random_trace(seed, shape_of(seed))));
    }
  }
};

TEST_F(RandomGraphs, SegmentsPartitionTheSpan) {
  each([](const Graph& graph) {
    const CriticalPath path = path_of(graph);
    EXPECT_EQ(std::reduce(path.segments_ns.begin(), path.segments_ns.end()), path.span_ns);
    EXPECT_LE(path.critical_path_ns, path.span_ns);
    EXPECT_TRUE(std::ranges::all_of(path.segments_ns, [](std::int64_t ns) { return ns >= 0; }));
  });
}

TEST_F(RandomGraphs, SegmentsJoinWithoutHoles) {
  each([](const Graph& graph) {
    SegmentCursor cursor(graph);
    std::int64_t expected_end = graph.span_ns().second;
    for (PathSegment segment; cursor.next(segment);) {
      ASSERT_EQ(segment.end_ns, expected_end);
      ASSERT_LT(segment.start_ns, segment.end_ns);
      expected_end = segment.start_ns;
    }
    EXPECT_EQ(expected_end, graph.span_ns().first);
  });
}

TEST_F(RandomGraphs, OperationsOnThePathHaveNoSlack) {
  each([](const Graph& graph) {
    const Slack slack = Slack::compute(graph).value();
    const CriticalPath path = critical_path(graph, slack).value();
    for (NodeId v = 0; v < graph.operations(); ++v) {
      ASSERT_GE(slack.at(v), 0);
      ASSERT_TRUE(!path.on_path[v] || slack.at(v) == 0) << v;
    }
  });
}

TEST_F(RandomGraphs, SlackIsExactlyHowMuchLongerEachMayTake) {
  each([](const Graph& graph) {
    const Slack slack = Slack::compute(graph).value();
    const auto end_with = [&](NodeId delayed, std::int64_t by) {
      return last_of(reference_ends(graph, [&](NodeId v) {
        return graph.end_ns(v) - graph.start_ns(v) + (v == delayed ? by : 0);
      }));
    };
    for (NodeId v = 0; v < graph.operations(); ++v) {
      ASSERT_EQ(end_with(v, slack.at(v)), graph.span_ns().second) << v;
      ASSERT_EQ(end_with(v, slack.at(v) + 1), graph.span_ns().second + 1) << v;
    }
  });
}

TEST_F(RandomGraphs, NothingChangedReproducesTheRecording) {
  each([](const Graph& graph) {
    const WhatIf same = what_if(graph, {}).value();
    EXPECT_EQ(same.before_ns, graph.span_ns().second - graph.span_ns().first);
    EXPECT_EQ(same.after_ns, same.before_ns);
    EXPECT_EQ(same.gain_low, 0);
    EXPECT_EQ(same.gain_high, 0);
  });
}

TEST_F(RandomGraphs, WhatIfEqualsThePlainSimulation) {
  each([](const Graph& graph) {
    const KernelChange change{0, 3};
    const WhatIf result = what_if(graph, std::span(&change, 1)).value();
    const auto ends = reference_ends(graph, [&](NodeId v) {
      const std::int64_t recorded = graph.end_ns(v) - graph.start_ns(v);
      return graph.kernel_of(v) == 0 ? std::llround(static_cast<double>(recorded) * (1.0 / 3))
                                     : recorded;
    });
    EXPECT_EQ(result.after_ns, last_of(ends) - graph.span_ns().first);
  });
}

TEST_F(RandomGraphs, GainsOfSeveralKernelsAreThoseOfEachAlone) {
  each([](const Graph& graph) {
    std::vector<std::uint32_t> kernels(graph.trace().kernels().size());
    std::iota(kernels.begin(), kernels.end(), 0U);
    for (const double speedup : {1.0, 2.0, 3.7}) {
      const auto together = simulated_gains(graph, kernels, speedup).value();
      for (const std::uint32_t kernel : kernels) {
        const KernelChange change{kernel, speedup};
        EXPECT_EQ(together[kernel], simulated_gain(graph, std::span(&change, 1)).value());
      }
    }
  });
}

TEST_F(RandomGraphs, FasterKernelsNeverMakeAnythingLonger) {
  each([](const Graph& graph) {
    double before = 0;
    for (const double speedup : {1.5, 2.0, 8.0, 1e9}) {
      const KernelChange change{0, speedup};
      const WhatIf result = what_if(graph, std::span(&change, 1)).value();
      EXPECT_GE(result.gain, before);
      EXPECT_LE(result.gain_low, result.gain);
      EXPECT_GE(result.gain_low, 0);
      before = result.gain;
    }
  });
}

TEST_F(RandomGraphs, EdgesLeadForwardsWithinOneProcess) {
  each([](const Graph& graph) {
    EdgeCursor cursor(graph);
    for (GraphEdge edge; cursor.next(edge);) {
      if (edge.from >= graph.operations() || edge.to >= graph.dispatches()) continue;
      ASSERT_LE(graph.start_ns(edge.from), graph.start_ns(edge.to));
      if (edge.from >= graph.dispatches()) continue;
      ASSERT_EQ(graph.trace().lane(edge.from).process, graph.trace().lane(edge.to).process);
    }
  });
}

TEST_F(RandomGraphs, AreTheSameWithAnyNumberOfThreads) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const auto trace = random_trace(seed, shape_of(seed)).build();
    const auto one = Graph::build(trace, {.threads = 1}).value();
    const auto many = Graph::build(trace, {.threads = 4}).value();
    EXPECT_EQ(one->edge_counts().by_class, many->edge_counts().by_class) << seed;
    EXPECT_EQ(path_of(*one).segments_ns, path_of(*many).segments_ns) << seed;
  }
}

void expect_same(const Graph& graph, const PathAndSlack& both) {
  const Slack slack = Slack::compute(graph).value();
  const CriticalPath path = critical_path(graph, slack).value();
  EXPECT_EQ(both.path.segments_ns, path.segments_ns);
  EXPECT_EQ(both.path.on_path, path.on_path);
  EXPECT_EQ(both.path.operations, path.operations);
  ASSERT_EQ(both.path.kernels.size(), path.kernels.size());
  std::uint64_t calls = 0;
  for (std::size_t i = 0; i < path.kernels.size(); ++i) {
    const KernelOnPath &a = both.path.kernels[i], &b = path.kernels[i];
    EXPECT_EQ(std::tie(a.kernel, a.calls, a.total_ns, a.path_calls, a.path_ns, a.min_slack_ns,
                       a.gain_if_2x),
              std::tie(b.kernel, b.calls, b.total_ns, b.path_calls, b.path_ns, b.min_slack_ns,
                       b.gain_if_2x));
    calls += a.calls;
  }
  EXPECT_EQ(calls, graph.dispatches());
  ASSERT_EQ(both.slack.size(), slack.size());
  for (NodeId v = 0; v < graph.operations(); ++v) ASSERT_EQ(both.slack.at(v), slack.at(v)) << v;
}

/// What Slack sums up is what its operations have, one by one.
void expect_sums(const Graph& graph, const Slack& slack) {
  const Trace& trace = graph.trace();
  std::vector<KernelSlack> kernels(trace.kernels().size());
  for (NodeId v = 0; v < graph.dispatches(); ++v) {
    KernelSlack& own = kernels[trace.kernel_of(v)];
    ++own.calls;
    own.total_ns += graph.end_ns(v) - graph.start_ns(v);
    own.critical += slack.at(v) == 0 ? 1 : 0;
    own.least_ns = std::min(own.least_ns, slack.at(v));
    own.most_ns = std::max(own.most_ns, slack.at(v));
    own.sum_ns += static_cast<double>(slack.at(v));
  }
  ASSERT_EQ(slack.kernels().size(), kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelSlack &a = slack.kernels()[i], &b = kernels[i];
    EXPECT_EQ(std::tie(a.calls, a.total_ns, a.critical, a.least_ns, a.most_ns, a.sum_ns),
              std::tie(b.calls, b.total_ns, b.critical, b.least_ns, b.most_ns, b.sum_ns))
        << i;
  }
}

TEST_F(RandomGraphs, SlackOfKernelsIsThatOfTheirDispatches) {
  each([](const Graph& graph) { expect_sums(graph, Slack::compute(graph).value()); });
}

TEST_F(RandomGraphs, PathAndSlackAreTheSameFoundTogether) {
  each([](const Graph& graph) { expect_same(graph, path_and_slack(graph).value()); });
}

/// Of 300 000 dispatches: enough for every second thread.
TinyTrace large_trace() {
  TinyTrace tiny;
  std::mt19937 random(1);
  for (std::int64_t i = 0; i < 300'000; ++i) {
    const int lane = static_cast<int>(random() % 5);
    const auto start = i * 10 + static_cast<std::int64_t>(random() % 50);
    tiny.ops.push_back({i % 3 == 0 ? "b" : "a", lane, lane % 3, start,
                        start + static_cast<std::int64_t>(random() % 60)});
  }
  return tiny;
}

TEST(LargeGraph, PathAndSlackAreTheSameFoundTogether) {
  const auto graph = Graph::build(large_trace().build()).value();
  expect_same(*graph, path_and_slack(*graph).value());
}

TEST(LargeGraph, SlackOfKernelsIsThatOfTheirDispatches) {
  const auto graph = Graph::build(large_trace().build()).value();
  expect_sums(*graph, Slack::compute(*graph).value());
  // So long that no slack fits 32 bits, and the pass that tries it ends before its time.
  TinyTrace longer = large_trace();
  longer.ops.push_back({"a", 0, 0, 1'000'000'000, 9'000'000'000});
  const auto wide = Graph::build(longer.build()).value();
  expect_sums(*wide, Slack::compute(*wide).value());
}

TEST(LargeGraph, IsTheSameOnOneThreadAndOnTwo) {
  const auto trace = large_trace().build();
  const auto one = Graph::build(trace, {.threads = 1}).value();
  const auto two = Graph::build(trace, {.threads = 2}).value();
  EdgeCursor a(*one), b(*two);
  GraphEdge left, right;
  while (a.next(left)) {
    ASSERT_TRUE(b.next(right));
    ASSERT_EQ(left.from, right.from) << left.to;
    ASSERT_EQ(left.edge_class, right.edge_class) << left.to;
  }
  EXPECT_FALSE(b.next(right));
}

TEST_F(RandomGraphs, OverlapAndGapsTakeAnything) {
  each([](const Graph& graph) {
    const OverlapReport report = find_overlap(graph, path_of(graph).on_path).value();
    EXPECT_LE(report.concurrent_ns, report.busy_ns);
    EXPECT_EQ(find_gaps(graph).value().busy_ns, report.busy_ns);
  });
}

}  // namespace
}  // namespace rpl::testing
