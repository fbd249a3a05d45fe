// SPDX-License-Identifier: MIT
#include "engine/device/calibrate/whole_launch.h"

#include <gtest/gtest.h>

#include "tests/support/shared_data.h"

namespace rpl::calibrate {
namespace {

const cycle::Parameters& gfx950() { return **cycle::builtin_parameters("MI350X"); }

/// A recording of `engines` of 32 shader engines of 8 compute units, on each of which `waves` waves ran on each of `units` units.
att::ThreadTrace recording(std::uint32_t engines, std::uint16_t units, int waves) {
  att::ThreadTrace out;
  out.device.shader_engines = 32;
  out.device.cus = 256;
  out.occupancy.emplace();
  for (std::uint32_t se = 0; se < engines; ++se) {
    att::OccupancyOfEngine engine{.se = se, .events = {}};
    for (std::uint16_t cu = 0; cu < units; ++cu) {
      for (int i = 0; i < waves; ++i) {
        engine.events.push_back(
            {.time = 10 * i, .kernel = 1, .cu = cu, .simd = 0, .slot = 0, .start = true});
        engine.events.push_back(
            {.time = 10 * i + 5, .kernel = 1, .cu = cu, .simd = 0, .slot = 0, .start = false});
      }
    }
    out.occupancy->engines.push_back(std::move(engine));
  }
  return out;
}

TEST(WholeLaunch, IsWhatAllEnginesWouldDoLikeTheTracedOnes) {
  const auto launch = whole_launch_of(recording(4, 6, 10), 1000, 20);
  ASSERT_TRUE(launch.has_value());
  EXPECT_DOUBLE_EQ(launch->bytes, 1000.0 / 20 * (4 * 6 * 10) * 8);
  EXPECT_DOUBLE_EQ(launch->busy_share, 6.0 / 8);
}

TEST(WholeLaunch, IsNotKnownWithoutEnginesOrWaves) {
  att::ThreadTrace trace = recording(4, 6, 10);
  EXPECT_FALSE(whole_launch_of(trace, 1000, 0).has_value());
  trace.device.shader_engines = 0;
  EXPECT_FALSE(whole_launch_of(trace, 1000, 20).has_value());
  EXPECT_FALSE(whole_launch_of(recording(0, 0, 0), 1000, 20).has_value());
  trace = recording(4, 6, 10);
  trace.occupancy.reset();
  EXPECT_FALSE(whole_launch_of(trace, 1000, 20).has_value());
}

TEST(LoadsComeFrom, TheInnermostLevelThatHasRoom) {
  const cycle::Parameters& p = gfx950();
  const double l2 = static_cast<double>(p.l2_bytes) * p.xcds,
               mall = static_cast<double>(p.mall_bytes);
  EXPECT_EQ(load_source(std::nullopt, p), LoadSource::l2);
  EXPECT_EQ(load_source(WholeLaunch{.bytes = l2}, p), LoadSource::l2);
  EXPECT_EQ(load_source(WholeLaunch{.bytes = l2 + 1}, p), LoadSource::mall);
  EXPECT_EQ(load_source(WholeLaunch{.bytes = mall}, p), LoadSource::mall);
  EXPECT_EQ(load_source(WholeLaunch{.bytes = mall + 1}, p), LoadSource::memory);
  EXPECT_EQ(load_source(WholeLaunch{.bytes = mall + 1}, **cycle::builtin_parameters("MI300X")),
            LoadSource::l2)
      << "nothing was fitted for it";
}

TEST(LoadsComeFrom, ALevelWhoseBandwidthBusyUnitsShare) {
  const cycle::Parameters& p = gfx950();
  const double mall = static_cast<double>(p.mall_bytes);
  EXPECT_EQ(with_load_source(p, std::nullopt).assumed_service, p.assumed_service);
  const cycle::Parameters all =
      with_load_source(p, WholeLaunch{.bytes = 2 * mall, .busy_share = 1});
  EXPECT_NEAR(all.assumed_service * p.hbm_bandwidth / p.compute_units, 1024, 10)
      << "a KiB for each compute unit";
  EXPECT_EQ(all.assumed_load, p.hbm_latency);
  const cycle::Parameters half = with_load_source(p, WholeLaunch{.bytes = mall, .busy_share = 0.5});
  EXPECT_EQ(half.assumed_service, p.assumed_mall / 2);
  EXPECT_EQ(half.assumed_load, std::max(p.assumed_load, p.mall_latency));
  EXPECT_EQ(with_load_source(p, WholeLaunch{.bytes = mall, .busy_share = 0.01}).assumed_service,
            p.assumed_service)
      << "no faster than the L2";
}

TEST(LoadsComeFrom, WhereTheRecordedLaunchesHadRoom) {
  const std::string folder = testing_support::shared_data("att");
  if (folder.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto source = [&](const std::string& name) {
    const auto trace = att::open_trace(att::find_traces(folder + "/" + name).at(0));
    return load_source(read_recorded_waves(**trace, gfx950())->launch, gfx950());
  };
  EXPECT_EQ(source("layernorm-gfx950"), LoadSource::l2);
  EXPECT_EQ(source("hgemm_splitk-gfx950"), LoadSource::l2);
  EXPECT_EQ(source("vec_add-gfx950"), LoadSource::mall) << "120 MB";
  EXPECT_EQ(source("softmax-gfx950"), LoadSource::memory) << "1 GB";
}

}  // namespace
}  // namespace rpl::calibrate
