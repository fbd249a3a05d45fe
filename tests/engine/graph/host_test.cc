// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/graph/gaps.h"
#include "tests/engine/graph/graph_of.h"

namespace rpl::testing {
namespace {

TEST(Launch, ExplainsTheGapBehindAnOperationEnqueuedLongBefore) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 0, 0, 55, 60, 2}};
  tiny.calls = {{1, 0, 2, 1}, {1, 3, 5, 2}};
  const CriticalPath path = path_of(*graph_of(tiny));
  EXPECT_EQ(nanoseconds(path, SegmentKind::launch), 5);
  EXPECT_EQ(nanoseconds(path, SegmentKind::kernel), 45);
  EXPECT_EQ(nanoseconds(path, SegmentKind::idle), 0);
}

TEST(Launch, ThatCameLateLeadsBackAlongTheHost) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 0, 0, 100, 120, 3}};
  tiny.calls = {{1, 0, 2, 1}, {1, 90, 92, 3}};
  tiny.syncs = {{.kind = SyncKind::stream_synchronize,
                 .start_ns = 5,
                 .end_ns = 53,
                 .stream = 0,
                 .thread = 1,
                 .correlation = 2}};
  const auto graph = graph_of(tiny);
  const CriticalPath path = path_of(*graph);
  EXPECT_EQ(nanoseconds(path, SegmentKind::launch), 10);
  EXPECT_EQ(nanoseconds(path, SegmentKind::host), 40);
  EXPECT_EQ(nanoseconds(path, SegmentKind::kernel), 60);
  EXPECT_EQ(Slack::compute(*graph).value().at(0), 0);
}

TEST(Launch, WithoutAWaitBeforeItLeavesTheRestToTheHost) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 0, 0, 100, 120, 2}};
  tiny.calls = {{1, 0, 2, 1}, {1, 90, 92, 2}};
  const CriticalPath path = path_of(*graph_of(tiny));
  EXPECT_EQ(nanoseconds(path, SegmentKind::host), 80);
  EXPECT_EQ(path.operations, 1U);
}

/// One operation on stream 0 and one on stream 1, launched before and after the two given calls.
TinyTrace between_streams(SyncOp first, SyncOp second) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1},
              {"x", 1, 1, 12, 20, 2},
              {"b", 1, 1, 52, 60, 5},
              {"c", 1, 1, 61, 62, 6}};
  tiny.calls = {{1, 0, 1, 1}, {1, 1, 2, 2}, {1, 5, 6, 5}, {1, 6, 7, 6}};
  first.thread = second.thread = 1;
  first.correlation = 3;
  second.correlation = 4;
  tiny.syncs = {first, second};
  return tiny;
}

TEST(Event, OrdersStreamsFromTheRecordToTheFirstLaunchAfterTheWait) {
  const auto graph = graph_of(between_streams(
      {.kind = SyncKind::event_record, .start_ns = 2, .end_ns = 3, .stream = 0, .event = 7},
      {.kind = SyncKind::event_wait, .start_ns = 3, .end_ns = 4, .stream = 1, .event = 7}));
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::event).from, 0U);
  EXPECT_EQ(edge_into(*graph, 3, EdgeClass::event).from, kNoNode);
  EXPECT_EQ(graph->edge_counts().by_class[static_cast<std::size_t>(EdgeClass::event)], 1U);
}

TEST(Event, WaitedForBeforeItWasRecordedOrdersNothing) {
  const auto graph = graph_of(between_streams(
      {.kind = SyncKind::event_wait, .start_ns = 2, .end_ns = 3, .stream = 1, .event = 7},
      {.kind = SyncKind::event_record, .start_ns = 3, .end_ns = 4, .stream = 0, .event = 7}));
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::event).from, kNoNode);
}

TEST(Event, CarriesOnThroughAStreamThatOnlyPassesItOn) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 2, 2, 52, 60, 6}};
  tiny.calls = {{1, 0, 1, 1}, {1, 6, 7, 6}};
  const auto sync = [](SyncKind kind, std::uint32_t stream, std::uint64_t event, std::uint64_t at) {
    const auto time = static_cast<std::int64_t>(at);
    return SyncOp{.kind = kind,
                  .start_ns = time,
                  .end_ns = time,
                  .stream = stream,
                  .thread = 1,
                  .event = event,
                  .correlation = at};
  };
  tiny.syncs = {sync(SyncKind::event_record, 0, 7, 2), sync(SyncKind::event_wait, 1, 7, 3),
                sync(SyncKind::event_record, 1, 8, 4), sync(SyncKind::event_wait, 2, 8, 5)};
  EXPECT_EQ(edge_into(*graph_of(tiny), 1, EdgeClass::event).from, 0U);
}

TEST(Event, ThatContradictsTheTimesIsLeftOutAndSaid) {
  TinyTrace tiny = between_streams(
      {.kind = SyncKind::event_record, .start_ns = 2, .end_ns = 3, .stream = 0, .event = 7},
      {.kind = SyncKind::event_wait, .start_ns = 3, .end_ns = 4, .stream = 1, .event = 7});
  tiny.ops[2].start_ns = 30;
  const auto graph = graph_of(tiny);
  EXPECT_EQ(graph->edge_counts().by_class[static_cast<std::size_t>(EdgeClass::event)], 0U);
  EXPECT_EQ(graph->notes().size(), 1U);
}

TEST(Event, IsReadFromBarriersThatTheDeviceRecorded) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50}, {"b", 1, 1, 52, 60}, {"c", 1, 1, 70, 80}};
  SyncOp wait{.kind = SyncKind::event_wait,
              .source = SyncSource::hip_event_table,
              .start_ns = 49,
              .end_ns = 51,
              .stream = 1,
              .queue = 1,
              .source_queue = 0};
  tiny.syncs = {wait};
  const auto graph = graph_of(tiny);
  EXPECT_EQ(edge_into(*graph, 1, EdgeClass::event).from, 0U);
  EXPECT_EQ(edge_into(*graph, 2, EdgeClass::event).from, kNoNode);
}

TEST(Event, HeldByTheHostIsWhatItWaitedFor) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"x", 0, 0, 50, 95, 3}, {"b", 1, 1, 70, 200, 5}};
  tiny.calls = {{1, 0, 1, 1}, {1, 3, 4, 3}, {1, 65, 66, 5}};
  tiny.syncs = {{.kind = SyncKind::event_record,
                 .start_ns = 2,
                 .end_ns = 2,
                 .stream = 0,
                 .thread = 1,
                 .event = 9,
                 .correlation = 2},
                {.kind = SyncKind::event_synchronize,
                 .start_ns = 5,
                 .end_ns = 55,
                 .thread = 1,
                 .event = 9,
                 .correlation = 4}};
  const CriticalPath path = path_of(*graph_of(tiny));
  EXPECT_TRUE(path.on_path[0]);
  EXPECT_FALSE(path.on_path[1]);
  EXPECT_EQ(nanoseconds(path, SegmentKind::host), 15);
}

TEST(HostSync, OfTheWholeDeviceWaitsForTheLastOperationOfEachStream) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 30, 1}, {"b", 1, 1, 10, 50, 2}, {"c", 0, 0, 60, 70, 4}};
  tiny.calls = {{1, 0, 1, 1}, {1, 1, 2, 2}, {1, 58, 59, 4}};
  tiny.syncs = {{.kind = SyncKind::device_synchronize,
                 .start_ns = 5,
                 .end_ns = 52,
                 .thread = 1,
                 .correlation = 3}};
  const auto graph = graph_of(tiny);
  EXPECT_EQ(graph->edges_into(graph->operations()).size(), 2U);
  EXPECT_TRUE(path_of(*graph).on_path[1]);
  EXPECT_EQ(Slack::compute(*graph).value().at(0), 20);
}

TEST(HostSync, OfABlockingCopyWaitsForThatCopy) {
  TinyTrace tiny;
  tiny.ops = {{"a", 1, 0, 60, 70, 2}};
  tiny.copies = {{0, 10, 50, 1}};
  tiny.calls = {{1, 0, 52, 1}, {1, 58, 59, 2}};
  tiny.syncs = {{.kind = SyncKind::blocking_copy,
                 .start_ns = 0,
                 .end_ns = 52,
                 .thread = 1,
                 .correlation = 1}};
  const CriticalPath path = path_of(*graph_of(tiny));
  EXPECT_EQ(nanoseconds(path, SegmentKind::copy), 40);
  EXPECT_EQ(nanoseconds(path, SegmentKind::host), 8);
  EXPECT_EQ(nanoseconds(path, SegmentKind::launch), 2);
}

TEST(HostSync, ThatHeldNobodyUpIsPassedOver) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 20, 1}, {"b", 0, 0, 100, 120, 3}};
  tiny.calls = {{1, 0, 1, 1}, {1, 90, 91, 3}};
  tiny.syncs = {{.kind = SyncKind::stream_synchronize,
                 .start_ns = 60,
                 .end_ns = 61,
                 .stream = 0,
                 .thread = 1,
                 .correlation = 2}};
  const CriticalPath path = path_of(*graph_of(tiny));
  EXPECT_EQ(path.operations, 1U);
  EXPECT_EQ(nanoseconds(path, SegmentKind::host), 80);
}

TEST(HostSync, OfAnUnknownStreamIsTakenForWhatEndedWithinIt) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 0, 0, 100, 120, 3}};
  tiny.calls = {{1, 0, 1, 1}, {1, 90, 91, 3}};
  tiny.syncs = {{.kind = SyncKind::stream_synchronize,
                 .source = SyncSource::api_name,
                 .start_ns = 5,
                 .end_ns = 53,
                 .thread = 1,
                 .correlation = 2}};
  EXPECT_TRUE(path_of(*graph_of(tiny)).on_path[0]);
}

TEST(Inferred, IsNotDrawnWhereLaunchesAndEventsAreRecorded) {
  TinyTrace tiny = between_streams(
      {.kind = SyncKind::event_record, .start_ns = 2, .end_ns = 3, .stream = 0, .event = 7},
      {.kind = SyncKind::event_wait, .start_ns = 3, .end_ns = 4, .stream = 0, .event = 7});
  EXPECT_EQ(edge_into(*graph_of(tiny), 2, EdgeClass::inferred).from, kNoNode);
  tiny.syncs.clear();
  EXPECT_EQ(edge_into(*graph_of(tiny), 2, EdgeClass::inferred).from, 0U);
}

TEST(Gaps, AreSplitIntoHostAndLaunchTimeByTheCall) {
  TinyTrace tiny;
  tiny.ops = {{"a", 0, 0, 10, 50, 1}, {"b", 0, 0, 100, 120, 2}};
  tiny.calls = {{1, 0, 1, 1}, {1, 90, 91, 2}};
  const Gaps gaps = find_gaps(*graph_of(tiny)).value();
  ASSERT_EQ(gaps.rows.size(), 1U);
  EXPECT_EQ(gaps.rows[0].cause, GapCause::host);
  EXPECT_EQ(gaps.rows[0].host_ns, 40);
  EXPECT_EQ(gaps.rows[0].launch_ns, 10);
}

}  // namespace
}  // namespace rpl::testing
