// SPDX-License-Identifier: MIT
#include "engine/graph/reschedule.h"

#include <gtest/gtest.h>

#include "engine/graph/what_if.h"
#include "tests/engine/graph/graph_of.h"
#include "tests/engine/graph/random_trace.h"

namespace rpl::testing {
namespace {

std::int64_t span_of(const TinyTrace& tiny, const Otherwise& otherwise, bool moves = true) {
  return rescheduled_span_ns(*graph_of(tiny), otherwise, moves).value();
}

constexpr RandomShape kShape{.copies = 5, .host = true};

/// Three kernels of 10 ns, each launched when the host has waited for the one before it.
TinyTrace waiting() {
  TinyTrace tiny;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t at = 20 * i;
    const auto id = static_cast<std::uint64_t>(2 * i + 1);
    tiny.ops.push_back({"a", 0, 0, at + 5, at + 15, id});
    tiny.calls.push_back({1, at, at + 2, id});
    tiny.calls.push_back({1, at + 2, at + 17, id + 1, 0, "hipStreamSynchronize"});
    tiny.syncs.push_back({.kind = SyncKind::stream_synchronize,
                          .start_ns = at + 2,
                          .end_ns = at + 17,
                          .stream = 0,
                          .thread = 1,
                          .correlation = id + 1});
  }
  return tiny;
}

TEST(Reschedule, GivesTheRecordedSpanWhereNothingIsOtherwise) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto graph = graph_of(random_trace(seed, kShape));
    const auto [begin, end] = graph->span_ns();
    EXPECT_EQ(rescheduled_span_ns(*graph, {}).value(), end - begin) << seed;
    EXPECT_EQ(rescheduled_span_ns(*graph, {}, false).value(), end - begin) << seed;
  }
}

TEST(Reschedule, WithShorterKernelsIsWhatIf) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto graph = graph_of(random_trace(seed, kShape));
    if (graph->operations() == 0 || graph->trace().kernels().empty()) continue;
    const KernelChange change{0, std::numeric_limits<double>::infinity()};
    const WhatIf expected = what_if(*graph, std::span(&change, 1)).value();
    Otherwise otherwise;
    for (NodeId v = 0; v < graph->operations(); ++v)
      otherwise.durations.push_back(
          graph->kernel_of(v) == 0 ? 0 : graph->end_ns(v) - graph->start_ns(v));
    EXPECT_EQ(rescheduled_span_ns(*graph, otherwise).value(), expected.after_ns) << seed;
  }
}

TEST(Reschedule, WithoutWaitsLeavesTheLaunchesAndTheOrderOfTheStream) {
  const TinyTrace tiny = waiting();
  EXPECT_EQ(span_of(tiny, {}), 50);
  Otherwise otherwise;
  otherwise.no_wait.assign(3, true);
  // Launched in time, each starts as long behind the one before it as it did behind its launch; or at once, if neighbours do.
  EXPECT_EQ(span_of(tiny, otherwise), 40);
  otherwise.gap_ns = 0;
  EXPECT_EQ(span_of(tiny, otherwise), 30);
}

TEST(Reschedule, WithoutWhatLaunchingCostsLeavesTheWaits) {
  Otherwise otherwise;
  otherwise.launch = 0;
  // Of each round of 20 ns go 2 of the call and 3 until the start.
  EXPECT_EQ(span_of(waiting(), otherwise), 10 + 2 * 15);
}

TEST(Reschedule, TakesFreeCallsOutOfTheHostsTime) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 20, 1}, {"a", 0, 0, 70, 80, 3}};
  tiny.calls = {{1, 0, 2, 1}, {1, 2, 52, 2, 0, "hipMalloc"}, {1, 60, 62, 3}};
  Otherwise otherwise;
  otherwise.free_calls = {false, true, false};
  otherwise.gap_ns = 0;
  EXPECT_EQ(span_of(tiny, otherwise), 70 - 50);
  otherwise.free_calls.clear();
  otherwise.host_between = false;
  EXPECT_EQ(span_of(tiny, otherwise), 70 - 8);
}

TEST(Reschedule, OfCopiesThatOverlapIsAPipeline) {
  TinyTrace tiny;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = 40 * i;
    const auto id = static_cast<std::uint64_t>(10 * i);
    tiny.copies.push_back({0, at, at + 10, id + 1, 0, "MEMORY_COPY_HOST_TO_DEVICE"});
    tiny.ops.push_back({"a", 0, 0, at + 10, at + 30, id + 2});
    tiny.copies.push_back({0, at + 30, at + 40, id + 3, 0, "MEMORY_COPY_DEVICE_TO_HOST"});
    for (const int k : {1, 2, 3})
      tiny.calls.push_back({1, k, k, id + static_cast<std::uint64_t>(k)});
  }
  EXPECT_EQ(span_of(tiny, {}), 160);
  Otherwise otherwise;
  otherwise.overlapped_copies = true;
  // The kernels never rest; the first copy in and the last copy out are seen.
  EXPECT_EQ(span_of(tiny, otherwise), 10 + 4 * 20 + 10);
}

TEST(Reschedule, OfStreamsOnTheirOwnAsksHowMuchOfTheDeviceAKernelFills) {
  TinyTrace tiny;
  // Launching takes 10 ns, which the second dispatch shows: it finds the device idle, and the first one loads the code.
  tiny.ops = {{"c", 0, 0, 10, 20, 1}, {"c", 0, 0, 40, 50, 2}, {"a", 0, 0, 60, 70, 3},
              {"b", 1, 1, 70, 80, 4}, {"a", 0, 0, 80, 90, 5}, {"b", 1, 1, 90, 100, 6}};
  tiny.calls = {{1, 0, 1, 1},   {1, 29, 30, 2}, {1, 50, 51, 3},
                {1, 51, 52, 4}, {1, 52, 53, 5}, {1, 53, 54, 6}};
  Otherwise otherwise;
  otherwise.free_streams = {0.5, 0.5, 0.5};
  const std::int64_t beside = span_of(tiny, otherwise);
  otherwise.free_streams = {1.0, 1.0, 1.0};
  const std::int64_t alone = span_of(tiny, otherwise);
  // Those that fill the device still take turns, though one may begin as soon as it is launched.
  EXPECT_GE(alone, 80);
  EXPECT_LT(beside, alone);
}

}  // namespace
}  // namespace rpl::testing
