// SPDX-License-Identifier: MIT
#include "engine/graph/what_if.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/graph/graph_of.h"

namespace rpl::testing {
namespace {

WhatIf change(const Graph& graph, double speedup, std::uint32_t kernel = 0) {
  const KernelChange changed{kernel, speedup};
  return what_if(graph, std::span(&changed, 1)).value();
}

TEST(WhatIf, ShortensAChainByWhatTheKernelSaves) {
  const auto graph = graph_of({{"a", 0, 0, 0, 40}, {"b", 0, 0, 40, 100}});
  const WhatIf result = change(*graph, 2);
  EXPECT_EQ(result.before_ns, 100);
  EXPECT_EQ(result.after_ns, 80);
  EXPECT_DOUBLE_EQ(result.gain, 0.2);
  EXPECT_DOUBLE_EQ(result.gain_low, 0.2);
  EXPECT_EQ(result.changed_dispatches, 1U);
}

TEST(WhatIf, OfModelledTimesIsARangeAsWideAsTheirBands) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 0, 40}, {"b", 0, 0, 40, 100}};
  const KernelChange twice{0, 2};
  EXPECT_FALSE(gain_in_bands(*graph_of(tiny), std::span(&twice, 1))->has_value());
  tiny.time_low = 0.8;
  tiny.time_high = 1.25;
  const auto range = gain_in_bands(*graph_of(tiny), std::span(&twice, 1)).value();
  ASSERT_TRUE(range.has_value());
  // 32 of 32 + 75 ns, and 50 of 50 + 48 ns, are a; half of it is saved.
  EXPECT_DOUBLE_EQ(range->low, 16.0 / 107);
  EXPECT_DOUBLE_EQ(range->high, 25.0 / 98);
}

TEST(WhatIf, GainsNothingOffThePath) {
  const auto graph =
      graph_of({{"short", 0, 0, 0, 10}, {"long", 1, 1, 0, 50}, {"end", 0, 0, 50, 60}});
  EXPECT_EQ(change(*graph, 10, 0).gain, 0);
  EXPECT_GT(change(*graph, 10, 1).gain, 0);
}

TEST(WhatIf, IsARangeWhereOnlyTimeConnects) {
  const auto graph = graph_of({{"a", 0, 0, 0, 50}, {"b", 1, 1, 50, 100}});
  const WhatIf result = change(*graph, 2);
  EXPECT_DOUBLE_EQ(result.gain_high, 0.25);
  EXPECT_DOUBLE_EQ(result.gain_low, 0);
  EXPECT_EQ(result.uncertain_operations, 1U);
}

TEST(WhatIf, IsARangeAcrossAGapThatNothingExplains) {
  const auto graph = graph_of({{"a", 0, 0, 0, 50}, {"b", 0, 0, 60, 100}});
  const WhatIf result = change(*graph, 2);
  EXPECT_DOUBLE_EQ(result.gain_high, 0.25);
  EXPECT_DOUBLE_EQ(result.gain_low, 0);
}

TEST(WhatIf, StopsAtTheLaunchThatCameLate) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 0, 50, 0}, {"b", 0, 0, 60, 100, 1}};
  tiny.calls = {{1, 40, 42, 1}};
  const WhatIf result = change(*graph_of(tiny), 10);
  EXPECT_EQ(result.after_ns, 40 + 10 + 40);
  EXPECT_EQ(result.gain_low, result.gain_high);
}

TEST(WhatIf, MovesTheHostThatWaited) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 0, 0, 100, 120, 3}};
  tiny.calls = {{1, 0, 2, 1}, {1, 90, 92, 3}};
  tiny.syncs = {{.kind = SyncKind::stream_synchronize,
                 .start_ns = 5,
                 .end_ns = 53,
                 .stream = 0,
                 .thread = 1,
                 .correlation = 2}};
  EXPECT_EQ(change(*graph_of(tiny), 2).after_ns, 110 - 20);
}

TEST(WhatIf, IsExactWhereTimesAreTooLargeForDoubles) {
  TinyTrace tiny;
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  tiny.ops = {{"A", 0, 0, kFar, kFar + 1'001, 1},
              {"B", 0, 0, kFar + 1'003, kFar + 2'004, 2},
              {"A", 0, 0, kFar + 2'007, kFar + 3'010, 3}};
  // One call is recorded as if its clock had only begun.
  tiny.calls = {{1, 5, 10, 1}, {1, kFar - 20, kFar - 10, 2}, {1, kFar - 5, kFar - 1, 3}};
  const auto graph = Graph::build(tiny.build()).value();
  const std::vector<std::uint32_t> kernels{0, 1};
  const auto together = simulated_gains(*graph, kernels, 2.0).value();
  for (const std::uint32_t kernel : kernels) {
    const KernelChange change{kernel, 2.0};
    EXPECT_EQ(together[kernel], simulated_gain(*graph, std::span(&change, 1)).value());
  }
}

TEST(WhatIf, RemovesAKernel) {
  const auto graph = graph_of({{"a", 0, 0, 0, 40}, {"b", 0, 0, 40, 100}});
  EXPECT_EQ(change(*graph, std::numeric_limits<double>::infinity()).after_ns, 60);
}

TEST(WhatIf, MakesThingsLongerToo) {
  const auto graph = graph_of({{"a", 0, 0, 0, 40}, {"b", 0, 0, 40, 100}});
  EXPECT_DOUBLE_EQ(change(*graph, 0.5).gain, -0.4);
}

TEST(WhatIf, RefusesWhatCannotBe) {
  const auto graph = graph_of({{"a", 0, 0, 0, 40}});
  const std::vector<std::vector<KernelChange>> bad = {
      {{0, 0}},
      {{0, -1}},
      {{0, std::numeric_limits<double>::quiet_NaN()}},
      {{9, 2}},
      {{0, 2}, {0, 3}}};
  for (const auto& changes : bad) {
    const auto result = what_if(*graph, changes);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, Errc::usage);
  }
}

}  // namespace
}  // namespace rpl::testing
