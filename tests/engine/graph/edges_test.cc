// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/engine/graph/graph_of.h"
#include "tests/engine/graph/random_trace.h"

namespace rpl::testing {
namespace {

TEST(StreamOrder, JoinsOperationsThatFollowOneAnother) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 0, 0, 12, 20}});
  const GraphEdge edge = edge_into(*graph, 1, EdgeClass::stream_order);
  EXPECT_EQ(edge.from, 0U);
  EXPECT_EQ(edge.wait_ns, 2);
}

TEST(StreamOrder, LeavesOperationsThatRanBesideEachOtherUnordered) {
  const auto graph = graph_of({{"a", 0, 0, 0, 100}, {"b", 0, 0, 10, 110}});
  EXPECT_TRUE(graph->edges_into(1).empty());
  EXPECT_EQ(graph->edge_counts().concurrent, 1U);
}

TEST(StreamOrder, SeesThroughTimestampsThatOverlapALittle) {
  const auto graph = graph_of({{"a", 0, 0, 0, 1000}, {"b", 0, 0, 900, 1900}});
  const GraphEdge edge = edge_into(*graph, 1, EdgeClass::stream_order);
  EXPECT_EQ(edge.from, 0U);
  EXPECT_EQ(edge.wait_ns, -100);
}

TEST(QueueOrder, AddsWhatStreamsDoNotSay) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 1, 0, 12, 20}, {"c", 1, 0, 30, 40}});
  EXPECT_EQ(edge_into(*graph, 1, EdgeClass::queue_order).from, 0U);
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::stream_order).from, 1U);
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::queue_order).from, kNoNode);
}

TEST(QueueOrder, StandsInForUnknownStreams) {
  const auto graph = graph_of({{"a", -1, 0, 0, 10}, {"b", -1, 0, 12, 20}});
  EXPECT_EQ(edge_into(*graph, 1, EdgeClass::queue_order).from, 0U);
  EXPECT_EQ(graph->edge_counts().evidenced, 1U);
}

TEST(Inferred, PointsToWhatEndedLastOnTheDevice) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 1, 1, 0, 20}, {"c", 0, 0, 25, 30}});
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::stream_order).from, 0U);
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::inferred).from, 1U);
}

TEST(Inferred, NeverCrossesAgentsOrProcesses) {
  for (const auto& [agent, process] : {std::pair(1U, 0U), std::pair(0U, 1U)}) {
    TinyOp other{"b", 1, 1, 20, 30};
    other.agent = agent;
    other.process = process;
    const auto graph = graph_of({{"a", 0, 0, 0, 10}, other});
    EXPECT_TRUE(graph->edges_into(1).empty());
  }
}

TEST(StreamOrder, IsNotBelievedOfStreamsThatRunBesideThemselvesOnSeveralQueues) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 10; ++i) {
    ops.push_back({"a", 0, 0, i * 100, i * 100 + 90});
    ops.push_back({"b", 0, 1, i * 100 + 5, i * 100 + 95});
  }
  const auto graph = graph_of(ops);
  EXPECT_EQ(graph->edge_counts().by_class[0], 0U);
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::queue_order).from, 0U);
  EXPECT_FALSE(graph->notes().empty());
}

TEST(Copies, TakePartInTheirStreamsOrder) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 0, 10}, {"b", 0, 0, 30, 40}};
  tiny.copies = {{0, 12, 25}};
  const auto graph = graph_of(tiny);
  EXPECT_EQ(graph->node(2).kind, NodeKind::copy);
  EXPECT_EQ(edge_into(*graph, 1, EdgeClass::stream_order).from, 2U);
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::stream_order).from, 0U);
}

/// The stream predecessor by its definition.
NodeId plain_stream_pred(const Graph& graph, const std::vector<NodeId>& earlier, NodeId v) {
  if (earlier.empty()) return kNoNode;
  const std::int64_t start = graph.start_ns(v);
  const NodeId last = earlier.back();
  const std::int64_t overlap = graph.end_ns(last) - start;
  const auto length = [&](NodeId u) { return graph.end_ns(u) - graph.start_ns(u); };
  if (overlap > 0 && overlap * 4 <= std::min(length(last), length(v))) return last;
  NodeId best = kNoNode;
  for (const NodeId u : earlier) {
    if (graph.end_ns(u) > start) continue;
    if (best == kNoNode || graph.end_ns(u) >= graph.end_ns(best)) best = u;
  }
  return best;
}

TEST(StreamOrder, EqualsItsDefinitionOnRandomTraces) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const auto graph = graph_of(random_trace(seed, {.queues = 1, .weird = seed % 2 == 0}));
    std::map<std::uint32_t, std::vector<NodeId>> earlier;
    for (NodeId v = 0; v < graph->dispatches(); ++v) {
      auto& stream = earlier[graph->trace().lane(v).stream];
      const NodeId expected = plain_stream_pred(*graph, stream, v);
      ASSERT_EQ(edge_into(*graph, v, EdgeClass::stream_order).from, expected) << seed << ' ' << v;
      stream.push_back(v);
    }
  }
}

TEST(EdgeCursor, ListsAsManyEdgesAsAreCounted) {
  const RandomShape shape{.copies = 5, .host = true};
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const auto graph = graph_of(random_trace(seed, shape));
    EdgeCursor cursor(*graph);
    EdgeCounts listed;
    for (GraphEdge edge; cursor.next(edge);)
      ++listed.by_class[static_cast<std::size_t>(edge.edge_class)];
    EXPECT_EQ(listed.by_class, graph->edge_counts().by_class) << seed;
  }
}

TEST(NodeCursor, ListsOperationsWaitsAndTheCallsThatLaunched) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 20, 5}};
  tiny.calls = {{1, 0, 1, 4}, {1, 2, 3, 5}};
  tiny.syncs = {{.kind = SyncKind::device_synchronize, .start_ns = 5, .end_ns = 21, .thread = 1}};
  const auto graph = graph_of(tiny);
  NodeCursor cursor(*graph);
  std::vector<NodeKind> kinds;
  for (GraphNode node; cursor.next(node);) kinds.push_back(node.kind);
  EXPECT_EQ(kinds, (std::vector{NodeKind::dispatch, NodeKind::host_sync, NodeKind::launch_call}));
}

}  // namespace
}  // namespace rpl::testing
