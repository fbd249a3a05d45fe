// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <set>

#include "engine/graph/graph.h"
#include "engine/trace/import/open.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace rpl::testing {
namespace {

using Edges = std::set<std::pair<NodeId, NodeId>>;

std::uint32_t stream_of(const Graph& graph, NodeId v) {
  if (v < graph.dispatches()) return graph.trace().lane(v).stream;
  return graph.copies()->rows[v - graph.dispatches()].stream;
}

/// The true dependencies between different streams, as nodes of the graph.
class Truth {
 public:
  Truth(const Graph& graph, const test::ProcessTruth& truth) : graph_(graph) {
    for (NodeId v = 0; v < graph.dispatches(); ++v) {
      dispatches_[static_cast<std::uint64_t>(graph.trace().dispatch_id(v))] = v;
    }
    // Copies are numbered as they were submitted.
    std::map<std::uint64_t, NodeId> by_call;
    for (NodeId v = graph.dispatches(); v < graph.operations(); ++v) {
      by_call[graph.copies()->rows[v - graph.dispatches()].correlation] = v;
    }
    for (const auto& [correlation, v] : by_call) copies_.push_back(v);
    for (const test::Dependency& dependency : truth.dependencies) add(dependency);
  }

  std::map<test::DependencyKind, Edges> edges;

 private:
  void add(const test::Dependency& dependency) {
    const NodeId from = node(dependency.from);
    const NodeId to = node(dependency.to);
    if (stream_of(graph_, from) != stream_of(graph_, to)) edges[dependency.kind].insert({from, to});
  }
  NodeId node(const test::Node& node) const {
    return node.kind == test::NodeKind::kernel ? dispatches_.at(node.id) : copies_.at(node.id - 1);
  }

  const Graph& graph_;
  std::map<std::uint64_t, NodeId> dispatches_;
  std::vector<NodeId> copies_;
};

Edges found_edges(const Graph& graph, std::set<EdgeClass> classes) {
  Edges edges;
  EdgeCursor cursor(graph);
  for (GraphEdge edge; cursor.next(edge);) {
    if (!classes.contains(edge.edge_class) || edge.to >= graph.operations()) continue;
    if (stream_of(graph, edge.from) != stream_of(graph, edge.to))
      edges.insert({edge.from, edge.to});
  }
  return edges;
}

std::size_t common(const Edges& a, const Edges& b) {
  return static_cast<std::size_t>(
      std::ranges::count_if(a, [&](const auto& edge) { return b.contains(edge); }));
}

struct Recorded {
  const char* name;
  test::GenerateOptions options;
  friend void PrintTo(const Recorded& recorded, std::ostream* out) { *out << recorded.name; }
};

class TrueDependencies : public ::testing::TestWithParam<Recorded> {
 protected:
  void SetUp() override {
    test::GenerateOptions options = GetParam().options;
    options.path = folder_ / "truth.db";
    options.truth = true;
    options.workload.dispatches = 20'000;
    options.workload.streams = 8;
    truth_ = test::generate_rocpd(options).value().at(0);
    const std::vector<std::string> paths = {options.path};
    graph_ = Graph::build(open_trace(paths).value()).value();
  }

  testing_support::TempDir folder_;
  test::ProcessTruth truth_;
  std::shared_ptr<const Graph> graph_;
};

TEST_P(TrueDependencies, BetweenStreamsAreFoundAndNothingElse) {
  Truth truth(*graph_, truth_);
  Edges expected = truth.edges[test::DependencyKind::event];
  const Edges of_queues = truth.edges[test::DependencyKind::queue];
  expected.insert(of_queues.begin(), of_queues.end());
  const Edges found =
      found_edges(*graph_, {EdgeClass::event, EdgeClass::queue_order, EdgeClass::inferred});
  ASSERT_GT(expected.size(), 500U);
  const auto hits = static_cast<double>(common(found, expected));
  EXPECT_GE(hits / static_cast<double>(found.size()), 0.99) << found.size();
  EXPECT_GE(hits / static_cast<double>(expected.size()), 0.99) << expected.size();
}

TEST_P(TrueDependencies, OfEventsAreFoundAndNothingElse) {
  Truth truth(*graph_, truth_);
  const Edges& expected = truth.edges[test::DependencyKind::event];
  const Edges found = found_edges(*graph_, {EdgeClass::event});
  ASSERT_GT(expected.size(), 100U);
  const auto hits = static_cast<double>(common(found, expected));
  EXPECT_GE(hits / static_cast<double>(found.size()), 0.99) << found.size();
  EXPECT_GE(hits / static_cast<double>(expected.size()), 0.99) << expected.size();
}

test::GenerateOptions recorded(const char* version, bool api, bool barriers, bool operations) {
  test::GenerateOptions options;
  options.version = version;
  options.api = api;
  options.event_tables = barriers;
  options.event_operations = operations;
  return options;
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, TrueDependencies,
    ::testing::Values(Recorded{"arguments", recorded("3", true, false, false)},
                      Recorded{"barriers", recorded("3.0.4", false, true, false)},
                      Recorded{"both", recorded("3.0.4", true, true, false)},
                      Recorded{"operations", recorded("3.0.3", false, true, true)}),
    [](const auto& recording) { return std::string(recording.param.name); });

TEST(LargeRecording, WithItsHostIsTheSameGraphOnOneThreadAndOnTwo) {
  const testing_support::TempDir folder;
  test::GenerateOptions options = recorded("3", true, false, false);
  options.path = folder / "large.db";
  options.workload.dispatches = 80'000;
  options.workload.streams = 6;
  ASSERT_TRUE(test::generate_rocpd(options));
  const std::vector<std::string> paths = {options.path};
  const auto trace = open_trace(paths).value();
  const auto one = Graph::build(trace, {.threads = 1}).value();
  const auto two = Graph::build(trace, {.threads = 2}).value();
  EXPECT_EQ(one->edge_counts().by_class, two->edge_counts().by_class);
  EXPECT_EQ(one->edge_counts().evidenced, two->edge_counts().evidenced);
  EXPECT_EQ(one->notes(), two->notes());
  EXPECT_EQ(one->span_ns(), two->span_ns());
  EdgeCursor a(*one), b(*two);
  GraphEdge left, right;
  std::size_t edges = 0;
  for (; a.next(left); ++edges) {
    ASSERT_TRUE(b.next(right));
    ASSERT_EQ(std::tie(left.from, left.to, left.edge_class, left.wait_ns),
              std::tie(right.from, right.to, right.edge_class, right.wait_ns));
  }
  EXPECT_FALSE(b.next(right));
  EXPECT_GT(edges, 160'000U);
}

}  // namespace
}  // namespace rpl::testing
