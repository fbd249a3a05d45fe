// SPDX-License-Identifier: MIT
#include "engine/graph/legacy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <random>

#include "tests/support/tiny_trace.h"

namespace rpl::testing {
namespace {

using Nodes = std::vector<LegacyNode>;

/// The definition of the older tool's model written down step by step: quadratic, with lists and queues.
class PlainLegacy {
 public:
  explicit PlainLegacy(Nodes nodes)
      : nodes_(std::move(nodes)), after_(nodes_.size()), in_(nodes_.size()) {
    join_queues();
    join_across();
    relax();
  }

  LegacyPath path;

 private:
  [[nodiscard]] std::int64_t duration(std::size_t v) const {
    return nodes_[v].end_ns - nodes_[v].start_ns;
  }
  void edge(std::size_t from, std::size_t to) {
    after_[from].push_back(to);
    ++in_[to];
  }
  void join_queues() {
    std::map<std::uint32_t, std::vector<std::size_t>> queues;
    for (std::size_t v = 0; v < nodes_.size(); ++v) queues[nodes_[v].queue].push_back(v);
    for (const auto& [queue, members] : queues) {
      for (std::size_t i = 1; i < members.size(); ++i) edge(members[i - 1], members[i]);
    }
  }
  [[nodiscard]] std::int64_t threshold() const {
    std::int64_t first = nodes_[0].start_ns;
    std::int64_t last = nodes_[0].end_ns;
    for (const LegacyNode& node : nodes_) {
      first = std::min(first, node.start_ns);
      last = std::max(last, node.end_ns);
    }
    return std::max<std::int64_t>(
        50'000, static_cast<std::int64_t>(0.01 * static_cast<double>(last - first)));
  }
  void join_across() {
    const std::int64_t allowed = threshold();
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      std::optional<std::size_t> nearest;
      for (std::size_t a = 0; a < nodes_.size(); ++a) {
        if (nodes_[a].queue == nodes_[b].queue || nodes_[a].end_ns > nodes_[b].start_ns) continue;
        if (!nearest || nodes_[a].end_ns > nodes_[*nearest].end_ns) nearest = a;
      }
      if (nearest && nodes_[b].start_ns - nodes_[*nearest].end_ns <= allowed) edge(*nearest, b);
    }
  }
  void relax() {
    std::vector<std::int64_t> length(nodes_.size());
    for (std::size_t v = 0; v < nodes_.size(); ++v) length[v] = duration(v);
    std::vector<std::size_t> parent(nodes_.size(), nodes_.size());
    std::deque<std::size_t> ready;
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
      if (in_[v] == 0) ready.push_back(v);
    }
    for (; !ready.empty(); ready.pop_front()) {
      const std::size_t u = ready.front();
      for (const std::size_t v : after_[u]) {
        if (length[u] + duration(v) > length[v]) {
          length[v] = length[u] + duration(v);
          parent[v] = u;
        }
        if (--in_[v] == 0) ready.push_back(v);
      }
    }
    report(length, parent);
  }
  void report(const std::vector<std::int64_t>& length, const std::vector<std::size_t>& parent) {
    std::size_t v = static_cast<std::size_t>(std::ranges::max_element(length) - length.begin());
    path.critical_path_ns = length[v];
    for (; v != nodes_.size(); v = parent[v]) {
      path.path.insert(path.path.begin(), static_cast<std::uint32_t>(v));
    }
    std::map<std::uint32_t, std::int64_t> totals;
    path.dominant_row = path.path.front();
    for (const std::uint32_t u : path.path) {
      totals[nodes_[u].symbol] += duration(u);
      if (duration(u) > duration(path.dominant_row)) path.dominant_row = u;
    }
    if (path.critical_path_ns == 0) return;  // the older tool dies here
    const auto share = [&](std::uint32_t symbol) {
      return static_cast<double>(totals[symbol]) / static_cast<double>(path.critical_path_ns);
    };
    path.dominant_symbol = nodes_[path.path.front()].symbol;
    for (const std::uint32_t u : path.path) {
      if (share(nodes_[u].symbol) > share(path.dominant_symbol))
        path.dominant_symbol = nodes_[u].symbol;
    }
    path.dominant_fraction = share(path.dominant_symbol);
  }

  Nodes nodes_;
  std::vector<std::vector<std::size_t>> after_;
  std::vector<std::size_t> in_;
};

struct Shape {
  std::size_t nodes = 8;
  std::int64_t reach = 20, shortest = -3, longest = 10;
  std::uint32_t queues = 3, symbols = 3;
};

Nodes random_nodes(std::uint32_t seed, const Shape& shape) {
  std::mt19937 random(seed);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  Nodes nodes;
  for (std::size_t i = 0; i < shape.nodes; ++i) {
    const std::int64_t start = pick(0, shape.reach);
    nodes.push_back({start, start + pick(shape.shortest, shape.longest),
                     static_cast<std::uint32_t>(pick(0, shape.queues - 1)),
                     static_cast<std::uint32_t>(pick(0, shape.symbols - 1))});
  }
  std::ranges::stable_sort(nodes, {}, &LegacyNode::start_ns);
  return nodes;
}

void expect_same(const Nodes& nodes, const char* shape, std::uint32_t seed) {
  const LegacyPath expected = PlainLegacy(nodes).path;
  const LegacyPath got = legacy_critical_path(nodes).value();
  ASSERT_EQ(got.critical_path_ns, expected.critical_path_ns) << shape << seed;
  ASSERT_EQ(got.path, expected.path) << shape << seed;
  ASSERT_EQ(got.dominant_row, expected.dominant_row) << shape << seed;
  ASSERT_EQ(got.dominant_fraction, expected.dominant_fraction) << shape << seed;
  if (!expected.dominant_fraction) return;
  ASSERT_EQ(got.dominant_symbol, expected.dominant_symbol) << shape << seed;
}

TEST(Legacy, EqualsItsDefinitionOnRandomGraphs) {
  const std::vector<std::pair<const char*, Shape>> shapes = {
      {"dense ", {}},
      {"positive ", {.nodes = 12, .reach = 60, .shortest = 1}},
      {"cyclic ", {.nodes = 10, .reach = 6, .shortest = -8, .longest = 4}},
      {"zero ", {.nodes = 9, .reach = 5, .shortest = 0, .longest = 0}},
      {"far apart ", {.nodes = 15, .reach = 400'000, .shortest = 0, .longest = 30'000}},
      {"long ", {.nodes = 15, .reach = 40'000'000, .shortest = -9, .longest = 3'000'000}},
      {"many queues ", {.nodes = 20, .reach = 80, .queues = 9}}};
  for (std::uint32_t seed = 0; seed < 14'000 && !HasFatalFailure(); ++seed) {
    Shape shape = shapes[seed % shapes.size()].second;
    shape.nodes = 1 + seed / 7 % shape.nodes;
    expect_same(random_nodes(seed, shape), shapes[seed % shapes.size()].first, seed);
  }
}

TEST(Legacy, EqualsItsDefinitionOnTenThousandDispatches) {
  const Shape shape{
      .nodes = 10'000, .reach = 1'000'000, .shortest = 0, .longest = 900, .queues = 4};
  expect_same(random_nodes(1, shape), "10k ", 1);
}

TEST(Legacy, CanExceedTheSpan) {
  const LegacyPath path = legacy_critical_path(Nodes{{0, 100, 0, 0}, {10, 110, 0, 0}}).value();
  EXPECT_EQ(path.critical_path_ns, 200);
}

TEST(Legacy, JoinsKernelsOfOneName) {
  const auto trace = tiny_trace({{"a", 0, 0, 0, 10}, {"b", 0, 0, 10, 25}, {"a", 0, 0, 25, 35}});
  const LegacyPath path = legacy_critical_path(*trace).value();
  EXPECT_EQ(path.dominant_symbol, 0U);
  EXPECT_EQ(path.dominant_row, 1U);
  EXPECT_DOUBLE_EQ(path.dominant_fraction.value(), 20.0 / 35);
}

TEST(Legacy, OfNothingIsNothing) {
  const LegacyPath path = legacy_critical_path(Nodes()).value();
  EXPECT_TRUE(path.path.empty());
  EXPECT_FALSE(path.dominant_fraction.has_value());
}

}  // namespace
}  // namespace rpl::testing
