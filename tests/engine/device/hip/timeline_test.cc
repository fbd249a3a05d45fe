// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/device/hip/timeline.h"

namespace rpl::emu::hip {
namespace {

void expect_span(const Span& span, std::int64_t start, std::int64_t end) {
  EXPECT_EQ(span.start, start);
  EXPECT_EQ(span.end, end);
}

TEST(Timeline, KernelsThatFillTheDeviceFollowEachOther) {
  Timeline timeline;
  expect_span(timeline.place_kernel(100, 50, {.places = 1.0}), 100, 150);
  expect_span(timeline.place_kernel(100, 50, {.places = 1.0}), 150, 200);
  expect_span(timeline.place_kernel(120, 10, {.places = 0.5}), 200, 210);
}

TEST(Timeline, KernelsRunBesideEachOtherWhileTheirSharesFit) {
  Timeline timeline;
  expect_span(timeline.place_kernel(0, 100, {.places = 0.5}), 0, 100);
  expect_span(timeline.place_kernel(10, 100, {.places = 0.5}), 10, 110);
  // Nothing is free until the first one ends, and the second half not before the other does.
  expect_span(timeline.place_kernel(20, 10, {.places = 0.5}), 100, 110);
  expect_span(timeline.place_kernel(20, 10, {.places = 0.75}), 110, 120);
}

TEST(Timeline, AKernelDoesNotReachIntoWhatWasPlacedLater) {
  Timeline timeline;
  expect_span(timeline.place_kernel(100, 50, {.places = 1.0}), 100, 150);
  expect_span(timeline.place_kernel(0, 100, {.places = 1.0}), 0, 100);
  expect_span(timeline.place_kernel(0, 20, {.places = 1.0}), 150, 170);
}

TEST(Timeline, TheLaterOfTwoKernelsGetsTheBandwidthThatIsLeft) {
  const auto load = [](double memory) {
    return DeviceLoad{.places = 0.25, .bandwidths = {0, 0, memory}};
  };
  Timeline timeline;
  expect_span(timeline.place_kernel(0, 100, load(0.75)), 0, 100);
  // A quarter of the bandwidth is left where it wants half: half its speed until 100, then its own.
  expect_span(timeline.place_kernel(20, 100, load(0.5)), 20, 160);
  // What wants no memory is not held up, and nothing is left for what wants it.
  expect_span(timeline.place_kernel(20, 50, load(0)), 20, 70);
  expect_span(timeline.place_kernel(40, 50, load(1)), 40, 180);
}

TEST(Timeline, TwoKernelsThatWantAllTheBandwidthTakeAsLongAsOneAfterTheOther) {
  const DeviceLoad load{.places = 0.1, .bandwidths = {0, 1, 0}};
  Timeline timeline;
  expect_span(timeline.place_kernel(0, 100, load), 0, 100);
  expect_span(timeline.place_kernel(0, 100, load), 0, 200);
}

TEST(Timeline, EachCopyEngineDoesOneThingAfterTheOther) {
  using Engine = Timeline::Engine;
  Timeline timeline;
  expect_span(timeline.place_copy(Engine::to_device, 0, 10), 0, 10);
  expect_span(timeline.place_copy(Engine::to_device, 5, 10), 10, 20);
  expect_span(timeline.place_copy(Engine::from_device, 5, 10), 5, 15);
}

TEST(Timeline, ForgetsWhatIsOver) {
  Timeline timeline;
  timeline.place_kernel(0, 100, {.places = 1.0});
  timeline.forget_before(100);
  expect_span(timeline.place_kernel(100, 10, {.places = 1.0}), 100, 110);
}

}  // namespace
}  // namespace rpl::emu::hip
