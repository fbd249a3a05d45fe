// SPDX-License-Identifier: MIT
// Ranks of a distributed program: their work between collectives, and whom they wait for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/graph/application/ranks.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::tiny_trace;
using testing::TinyOp;

constexpr const char* kCollective = "ncclDevKernel_Generic_4";

/// Rounds of two ranks that work 100 and `other` ns and end their collectives together 50 ns after the last has begun.
std::vector<TinyOp> rounds(int count, std::int64_t other) {
  std::vector<TinyOp> ops;
  std::int64_t at = 0;
  for (int i = 0; i < count; ++i) {
    const std::int64_t end = at + std::max<std::int64_t>(100, other) + 50;
    ops.push_back({.kernel = "work", .start_ns = at, .end_ns = at + 100, .process = 0});
    ops.push_back({.kernel = kCollective, .start_ns = at + 100, .end_ns = end, .process = 0});
    ops.push_back(
        {.kernel = "work", .stream = 1, .start_ns = at, .end_ns = at + other, .process = 1});
    ops.push_back(
        {.kernel = kCollective, .stream = 1, .start_ns = at + other, .end_ns = end, .process = 1});
    at = end;
  }
  return ops;
}

TEST(Ranks, TheSlowestWorksLongestAndIsWaitedFor) {
  const auto trace = tiny_trace(rounds(10, 140));
  const Ranks ranks = find_ranks(*trace).value();
  ASSERT_EQ(ranks.ranks.size(), 2U);
  EXPECT_EQ(ranks.why_none, "");
  EXPECT_EQ(ranks.collectives, 10U);
  EXPECT_EQ(ranks.of_step, 1U);
  ASSERT_EQ(ranks.steps.size(), 9U);
  EXPECT_TRUE(ranks.clocks_compare);
  EXPECT_EQ(ranks.straggler, std::optional<std::size_t>(1));
  EXPECT_EQ(ranks.ranks[0].work_ns, 900);
  EXPECT_EQ(ranks.ranks[1].work_ns, 9 * 140);
  EXPECT_EQ(ranks.ranks[0].wait_ns, 400);
  EXPECT_EQ(ranks.ranks[1].wait_ns, 0);
  EXPECT_EQ(ranks.ranks[1].last, 10U);
  EXPECT_EQ(ranks.ranks[1].slowest, 9U);
  const RankStep& step = ranks.steps[0];
  EXPECT_EQ(step.end_ns - step.start_ns, 190);
  EXPECT_EQ(step.most_ns, 140);
  EXPECT_EQ(step.mean_ns, 120);
  EXPECT_EQ(step.wait_ns, 20);
  EXPECT_NEAR(step.imbalance(), 140.0 / 120 - 1, 1e-12);
}

TEST(Ranks, NeedTheSameCollectives) {
  auto ops = rounds(6, 140);
  ops.pop_back();
  EXPECT_THAT(find_ranks(*tiny_trace(ops)).value().why_none, HasSubstr("different numbers"));
  EXPECT_THAT(
      find_ranks(*tiny_trace({{.kernel = "work", .start_ns = 0, .end_ns = 1}})).value().why_none,
      HasSubstr("no collective"));
}

TEST(Ranks, EvenOnesHaveNoStraggler) {
  auto ops = rounds(3, 90);
  auto more = rounds(3, 140);
  for (TinyOp& op : more) {
    op.start_ns += 1000;
    op.end_ns += 1000;
  }
  ops.insert(ops.end(), more.begin(), more.end());
  const Ranks ranks = find_ranks(*tiny_trace(ops)).value();
  ASSERT_EQ(ranks.steps.size(), 5U);
  EXPECT_FALSE(ranks.straggler.has_value() && ranks.ranks[*ranks.straggler].slowest < 3);
}

}  // namespace
}  // namespace rpl
