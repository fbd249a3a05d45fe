// SPDX-License-Identifier: MIT
#include "engine/graph/doubts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using rpl::testing::TinyOp;
using rpl::testing::TinyTrace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Doubt> doubts(TinyTrace tiny, bool whole = true) {
  const auto graph = Graph::build(tiny.build());
  return find_doubts(**graph, {.whole = whole}).value();
}

std::vector<DoubtKind> kinds(TinyTrace tiny, bool whole = true) {
  std::vector<DoubtKind> out;
  for (const Doubt& doubt : doubts(std::move(tiny), whole)) out.push_back(doubt.kind);
  return out;
}

/// Three in a row on one stream and queue.
TinyTrace sound() {
  TinyTrace tiny;
  tiny.ops = {
      {"a", 0, 0, 1'000, 2'000, 1}, {"b", 0, 0, 2'500, 3'000, 2}, {"c", 0, 0, 3'500, 4'000, 3}};
  return tiny;
}

TEST(Doubts, ASoundRecordingHasNone) {
  EXPECT_THAT(kinds(sound()), IsEmpty());
  EXPECT_THAT(kinds({}), IsEmpty());
}

TEST(Doubts, IdsThatAreNotThereWereLostOrCutOff) {
  TinyTrace tiny = sound();
  tiny.ops[0].dispatch_id = 5;
  tiny.ops[1].dispatch_id = 6;
  tiny.ops[2].dispatch_id = 10;
  EXPECT_THAT(kinds(tiny), ElementsAre(DoubtKind::clipped, DoubtKind::lost));
  EXPECT_THAT(doubts(tiny)[0].sentence, HasSubstr("after 4 dispatches"));
  EXPECT_THAT(doubts(tiny)[1].sentence, HasSubstr("3 dispatches between the 3"));
  EXPECT_THAT(kinds(tiny, false), IsEmpty()) << "a window lacks what lies outside";
}

TEST(Doubts, IdsThatComeTwiceOrAreFarApartCountNothing) {
  TinyTrace twice = sound();
  for (TinyOp& op : twice.ops) op.dispatch_id = 7;
  EXPECT_THAT(kinds(twice), IsEmpty());
  TinyTrace handles = sound();
  for (std::size_t i = 0; i < handles.ops.size(); ++i)
    handles.ops[i].dispatch_id =
        std::int64_t{0x7f00'0000'0000} + static_cast<std::int64_t>(i) * 4096;
  EXPECT_THAT(kinds(handles), IsEmpty());
}

TEST(Doubts, AnIdThatIsBehindOnItsQueueIsAClockThatWentBackwards) {
  TinyTrace tiny = sound();
  tiny.ops[1].dispatch_id = 3;
  tiny.ops[2].dispatch_id = 2;
  EXPECT_THAT(kinds(tiny), ElementsAre(DoubtKind::clock_jump));
  tiny.ops[2].queue = 1;
  EXPECT_THAT(kinds(tiny), IsEmpty()) << "queues are served side by side";
}

TEST(Doubts, OverlapsOfAStreamCountFromAQuarterOn) {
  TinyTrace tiny = sound();
  tiny.ops[1].start_ns = 1'900;
  EXPECT_THAT(kinds(tiny), IsEmpty());
  tiny.ops[1].start_ns = 1'500;
  EXPECT_THAT(kinds(tiny), ElementsAre(DoubtKind::overlapping));
  EXPECT_THAT(doubts(tiny)[0].sentence, HasSubstr("1 dispatch began"));
}

TEST(Doubts, LaunchesWhoseCallsAreNotThere) {
  TinyTrace tiny = sound();
  tiny.calls = {{7, 100, 200, 1}, {7, 300, 400, 2}};
  EXPECT_THAT(kinds(tiny), ElementsAre(DoubtKind::calls_missing));
  EXPECT_THAT(doubts(tiny)[0].sentence, HasSubstr("launched 1 of 3 dispatches"));
  tiny.calls.push_back({7, 500, 600, 3});
  EXPECT_THAT(kinds(tiny), IsEmpty());
}

TEST(Doubts, ProcessesOneAfterTheOtherAreSeveralRuns) {
  TinyTrace tiny = sound();
  tiny.ops[0].dispatch_id = 1;
  tiny.ops[1] = {"b", 1, 1, 12'000, 13'000, 0, 0, 1, 1};
  tiny.ops[2] = {"c", 1, 1, 13'500, 14'000, 0, 0, 1, 2};
  EXPECT_THAT(kinds(tiny), ElementsAre(DoubtKind::several_runs));
  EXPECT_THAT(doubts(tiny)[0].sentence, HasSubstr("2 runs"));
  tiny.ops[0].end_ns = 12'500;
  EXPECT_THAT(kinds(tiny), IsEmpty()) << "beside each other";
}

TEST(Doubts, OnlySomeConcernKernels) {
  EXPECT_TRUE(is_of_kernels(DoubtKind::lost));
  EXPECT_TRUE(is_of_kernels(DoubtKind::overlapping));
  EXPECT_FALSE(is_of_kernels(DoubtKind::calls_missing));
  EXPECT_FALSE(is_of_kernels(DoubtKind::several_runs));
}

}  // namespace
}  // namespace rpl
