// SPDX-License-Identifier: MIT
#include "engine/graph/gaps.h"

#include <gtest/gtest.h>

#include "tests/engine/graph/graph_of.h"
#include "tests/engine/graph/random_trace.h"

namespace rpl::testing {
namespace {

TEST(Gaps, LieBetweenTheUnionOfOperations) {
  const auto graph = graph_of({{"a", 0, 0, 0, 10}, {"b", 1, 1, 5, 30}, {"c", 0, 0, 40, 50}});
  const Gaps gaps = find_gaps(*graph).value();
  ASSERT_EQ(gaps.rows.size(), 1U);
  EXPECT_EQ(gaps.rows[0].before, 1U);
  EXPECT_EQ(gaps.rows[0].after, 2U);
  EXPECT_EQ(gaps.total_ns, 10);
  EXPECT_EQ(gaps.busy_ns, 40);
  EXPECT_EQ(gaps.rows[0].cause, GapCause::idle);
}

TEST(Gaps, AreCountedPerAgent) {
  TinyOp other{"b", 1, 1, 10, 20};
  other.agent = 1;
  const auto graph = graph_of({{"a", 0, 0, 0, 5}, {"a", 0, 0, 30, 40}, other});
  const Gaps all = find_gaps(*graph).value();
  ASSERT_EQ(all.count, 1U);
  EXPECT_EQ(all.rows[0].agent, 0U);
  EXPECT_EQ(find_gaps(*graph, {.agent = 1}).value().count, 0U);
}

TEST(Gaps, KeepTheLongestWhenLimited) {
  const auto graph =
      graph_of({{"a", 0, 0, 0, 1}, {"a", 0, 0, 3, 4}, {"a", 0, 0, 14, 15}, {"a", 0, 0, 19, 20}});
  const Gaps gaps = find_gaps(*graph, {.limit = 2}).value();
  EXPECT_EQ(gaps.count, 3U);
  EXPECT_EQ(gaps.total_ns, 16);
  ASSERT_EQ(gaps.rows.size(), 2U);
  EXPECT_EQ(gaps.rows[0].start_ns, 4);
  EXPECT_EQ(gaps.rows[1].start_ns, 15);
}

TEST(Gaps, AndBusyTimeMakeUpTheSpanOfAnAgent) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const auto graph = graph_of(random_trace(seed, {.copies = 3, .weird = seed % 2 == 0}));
    const auto [begin, end] = graph->span_ns();
    const Gaps gaps = find_gaps(*graph).value();
    EXPECT_EQ(gaps.total_ns + gaps.busy_ns, end - begin) << seed;
  }
}

}  // namespace
}  // namespace rpl::testing
