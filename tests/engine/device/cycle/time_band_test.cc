// SPDX-License-Identifier: MIT
#include "engine/device/cycle/time_band.h"

#include <gtest/gtest.h>

#include "engine/device/cycle/parameters.h"

namespace rpl::cycle {
namespace {

TimeParts busy(TimeClass one, double cycles) {
  TimeParts out{.total = 10000, .launch = 1000};
  out.busy[static_cast<std::size_t>(one)] = cycles;
  return out;
}

TEST(TimeClassOf, IsWhatKeepsMostOfTheTimeBusy) {
  for (const TimeClass one : {TimeClass::memory, TimeClass::mall, TimeClass::l2, TimeClass::vl1d,
                              TimeClass::lds, TimeClass::compute, TimeClass::atomics})
    EXPECT_EQ(class_of(busy(one, 8500)), one) << to_string(one);
  TimeParts both = busy(TimeClass::memory, 7000);
  both.busy[static_cast<std::size_t>(TimeClass::l2)] = 8000;
  EXPECT_EQ(class_of(both), TimeClass::l2);
}

TEST(TimeClassOf, IsLatencyWhereWavesWaitForNothingThatIsBusy) {
  TimeParts parts = busy(TimeClass::memory, 3000);
  parts.waiting = 0.8;
  EXPECT_EQ(class_of(parts), TimeClass::latency);
  parts.waiting = 0.2;
  EXPECT_EQ(class_of(parts), TimeClass::mixed);
}

TEST(TimeClassOf, IsComputeWhereFewWavesMostlyIssue) {
  TimeParts parts = busy(TimeClass::compute, 4500);
  parts.waiting = 0.3;
  EXPECT_EQ(class_of(parts), TimeClass::compute);
  parts.waiting = 0.6;
  EXPECT_EQ(class_of(parts), TimeClass::latency);
}

TEST(TimeClassOf, IsTheLaunchWhereItIsMuchOfTheTime) {
  TimeParts parts = busy(TimeClass::memory, 900);
  parts.total = 1900;
  EXPECT_EQ(class_of(parts), TimeClass::launch);
  EXPECT_EQ(class_of(TimeParts()), TimeClass::launch);
}

TEST(TimeBands, OfTwoVariantsAreThatOfTheLessCertainClass) {
  Bands bands;
  bands.ratio[static_cast<std::size_t>(TimeClass::memory)] = 0.3;
  bands.ratio[static_cast<std::size_t>(TimeClass::compute)] = 0.05;
  EXPECT_EQ(bands.ratio_of(TimeClass::memory, TimeClass::compute), 0.3);
  EXPECT_EQ(bands.ratio_of(TimeClass::compute, TimeClass::compute), 0.05);
}

TEST(TimeBands, AreNotInventedWhereTheFilesHaveNone) {
  Bands bands;
  EXPECT_FALSE(bands.low_of(TimeClass::lds, 100).has_value());
  bands.low[static_cast<std::size_t>(TimeClass::lds)] = 0.8;
  bands.high[static_cast<std::size_t>(TimeClass::lds)] = 1.5;
  EXPECT_DOUBLE_EQ(*bands.low_of(TimeClass::lds, 100), 80);
  EXPECT_DOUBLE_EQ(*bands.high_of(TimeClass::lds, 100), 150);
}

TEST(TimeBands, EveryModelledGpuHasThemForEveryClass) {
  for (const char* gpu : {"gfx90a", "gfx942", "gfx950"}) {
    const auto p = builtin_parameters(gpu);
    ASSERT_TRUE(p.has_value()) << p.error().message;
    for (std::size_t i = 0; i < kTimeClasses; ++i) {
      EXPECT_GT((*p)->bands.low[i], 0) << gpu << " " << to_string(static_cast<TimeClass>(i));
      EXPECT_GT((*p)->bands.ratio[i], 0) << gpu << " " << to_string(static_cast<TimeClass>(i));
    }
  }
}

}  // namespace
}  // namespace rpl::cycle
