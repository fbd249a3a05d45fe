// SPDX-License-Identifier: MIT
#include "engine/replay/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::captured;
using ::testing::Each;
using ::testing::SizeIs;

ReplaySeries repeated(const ReplayPlan& plan) {
  auto series = replay_emulated(plan);
  EXPECT_TRUE(series.has_value()) << series.error().message;
  return series ? std::move(*series) : ReplaySeries{};
}

TEST(Series, AHundredStatelessIterationsAreEqual) {
  const Capture capture = captured(emu::reduce("gfx942", 600, 2));
  const ReplaySeries series =
      repeated({.capture = &capture, .iterations = 100, .execute = {.mode = emu::Mode::modelled}});
  EXPECT_EQ(series.image.match, ImageMatch::matched);
  EXPECT_EQ(series.last_equals_first, true);
  EXPECT_THAT(series.raw_ns, SizeIs(100));
  EXPECT_THAT(series.raw_ns, Each(series.raw_ns[0]));
  EXPECT_EQ(series.kernel, capture.kernel);
  EXPECT_TRUE(series.differing.empty());
}

TEST(Series, StatefulIterationsStartFromWhatTheLastOneLeft) {
  const Capture capture = captured(emu::reduce("gfx942", 600, 2));
  const ReplaySeries series = repeated({.capture = &capture, .iterations = 3, .recopy = false});
  EXPECT_EQ(series.image.match, ImageMatch::matched) << "the first iteration";
  EXPECT_FALSE(series.last_equals_first.has_value());
}

TEST(Series, MemoryThatDiffersIsKept) {
  Capture capture = test::small_capture();
  (*capture.regions[2].after)[5] ^= std::byte{1};
  const ReplaySeries series = repeated({.capture = &capture});
  EXPECT_EQ(series.image.match, ImageMatch::differs);
  ASSERT_TRUE(series.differing.contains(2));
  EXPECT_NE(series.differing.at(2), *capture.regions[2].after);
}

TEST(Statistics, AreThoseOfTheSample) {
  EXPECT_FALSE(statistics_of({}).has_value());
  const auto one = statistics_of({4});
  EXPECT_EQ(one->median, 4);
  EXPECT_EQ(one->stdev, 0);
  std::vector<double> values;
  for (int i = 100; i >= 0; --i) values.push_back(i);
  const auto many = statistics_of(values);
  EXPECT_EQ(many->min, 0);
  EXPECT_EQ(many->max, 100);
  EXPECT_EQ(many->mean, 50);
  EXPECT_EQ(many->median, 50);
  EXPECT_EQ(many->p5, 5);
  EXPECT_EQ(many->p95, 95);
  EXPECT_NEAR(many->stdev, 29.3002, 1e-4);
}

}  // namespace
}  // namespace rpl
