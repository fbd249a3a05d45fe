// SPDX-License-Identifier: MIT
#include "engine/device/cycle/cache.h"

#include <gtest/gtest.h>

#include "engine/device/cycle/device_traffic.h"

namespace rpl::cycle {
namespace {

TEST(TagCache, ForgetsTheLeastRecentlyUsedLine) {
  TagCache cache(16 * 64, 64);
  for (std::uint64_t line = 0; line < 16; ++line) EXPECT_FALSE(cache.touch(line));
  EXPECT_TRUE(cache.touch(0));
  EXPECT_FALSE(cache.touch(16));
  EXPECT_TRUE(cache.touch(0));
  EXPECT_FALSE(cache.touch(1));
}

class Traffic : public testing::Test {
 protected:
  const Parameters& p_ = **builtin_parameters("MI250X");
};

TEST_F(Traffic, CountsWhatGoesToMemoryOnce) {
  DeviceTraffic traffic(p_, p_.compute_units, 2);
  for (std::uint64_t line = 0; line < 1000; ++line) {
    const std::uint64_t one[] = {line};
    traffic.touch(0, one, 0, false);
    traffic.touch(1, one, 1, false);
  }
  const TrafficCounts counts = traffic.counts();
  EXPECT_EQ(counts.read_bytes(), 1000 * p_.l1_line);
  EXPECT_EQ(counts.memory_bytes(), 1000 * p_.l1_line);
  EXPECT_EQ(counts.first_touch(0).in_l2, 0) << "the first workgroup brings the lines";
  EXPECT_EQ(counts.first_touch(1).in_l2, 1) << "the second one finds them";
}

// A million lines are followed by a sample of the sets, and come out within two percent.
TEST_F(Traffic, SamplesLongLaunches) {
  DeviceTraffic traffic(p_, p_.compute_units, 1);
  constexpr std::uint64_t kLines = 1'000'000;
  for (std::uint64_t line = 0; line < kLines; ++line) {
    const std::uint64_t one[] = {line};
    traffic.touch(0, one, static_cast<std::uint32_t>(line / 1000), true);
  }
  EXPECT_TRUE(traffic.sampled());
  EXPECT_NEAR(static_cast<double>(traffic.counts().written_bytes()),
              static_cast<double>(kLines * p_.l1_line), 0.02 * kLines * p_.l1_line);
  EXPECT_EQ(traffic.counts().read_bytes(), 0U);
}

/// Passes over `bytes` of memory once, each line by the workgroup whose turn it is, eight lines each.
TrafficCounts pass(const Parameters& p, std::shared_ptr<MemoryState> state, std::uint64_t bytes,
                   bool store, std::uint32_t shift = 0) {
  DeviceTraffic traffic(p, p.compute_units, 1, std::move(state));
  for (std::uint64_t line = 0; line < bytes / p.l1_line; ++line) {
    const std::uint64_t one[] = {line};
    traffic.touch(0, one, static_cast<std::uint32_t>(line / 8) + shift, store);
  }
  return traffic.counts();
}

class WarmTraffic : public testing::Test {
 protected:
  const Parameters& p_ = **builtin_parameters("MI300A");
  std::shared_ptr<MemoryState> state_ = std::make_shared<MemoryState>(p_);
};

TEST_F(WarmTraffic, FindsInTheL2WhatTheLaunchBeforeRead) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
  EXPECT_EQ(pass(p_, state_, kBytes, false).read_bytes(), kBytes);
  EXPECT_EQ(pass(p_, state_, kBytes, false).read_bytes(), 0U);
  EXPECT_EQ(pass(p_, state_, kBytes, false, 1).read_bytes(), kBytes)
      << "the L2 of another XCD does not have it";
}

TEST_F(WarmTraffic, WritesBackWhatEachLaunchWrites) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
  EXPECT_EQ(pass(p_, state_, kBytes, true).written_bytes(), kBytes);
  EXPECT_EQ(pass(p_, state_, kBytes, true).written_bytes(), kBytes);
  EXPECT_EQ(pass(p_, state_, kBytes, false).read_bytes(), 0U)
      << "the lines stay in the L2 of the writer";
  pass(p_, state_, kBytes, true, 1);
  EXPECT_EQ(pass(p_, state_, kBytes, false).read_bytes(), kBytes)
      << "another XCD wrote them meanwhile";
}

// Larger than all L2s, smaller than the Infinity Cache; then larger than that by half: chance keeps a part.
TEST_F(WarmTraffic, FindsInTheInfinityCacheWhatTheL2CannotHold) {
  constexpr std::uint64_t kFits = std::uint64_t{100} << 20, kTooLarge = std::uint64_t{384} << 20;
  EXPECT_EQ(pass(p_, state_, kFits, false).read_mall_share(), 0);
  EXPECT_GT(pass(p_, state_, kFits, false).read_mall_share(), 0.95);
  pass(p_, state_, kTooLarge, false);
  const double share = pass(p_, state_, kTooLarge, false).read_mall_share();
  EXPECT_GT(share, 0.2);
  EXPECT_LT(share, 0.6);
}

TEST_F(WarmTraffic, WhatIsWrittenGoesToMemoryWhenTheInfinityCacheNeedsTheRoom) {
  constexpr std::uint64_t kFits = std::uint64_t{64} << 20, kTooLarge = std::uint64_t{1} << 30;
  EXPECT_EQ(pass(p_, state_, kFits, true).memory_bytes(), 0U);
  const TrafficCounts counts = pass(p_, state_, kTooLarge, true);
  EXPECT_GT(static_cast<double>(counts.memory_bytes()), 0.7 * static_cast<double>(kTooLarge));
}

// Rows of a pitch of 32 KiB, 256 bytes of each: one channel takes all of them.
TEST_F(WarmTraffic, SumsTheBusiestChannel) {
  const auto busiest = [&](std::uint64_t pitch) {
    DeviceTraffic traffic(p_, p_.compute_units, 1);
    for (std::uint64_t row = 0; row < 2000; ++row) {
      const std::uint64_t two[] = {row * pitch / p_.l1_line, row * pitch / p_.l1_line + 1};
      traffic.touch(0, two, static_cast<std::uint32_t>(row), true);
    }
    return traffic.counts().busiest_channel;
  };
  EXPECT_EQ(busiest(32768), 4000U);
  EXPECT_LT(busiest(32768 + 256), 100U);
}

TEST_F(WarmTraffic, LanesOfAtomicsOnWordsOfOneLineAreOneRequest) {
  DeviceTraffic traffic(p_, p_.compute_units, 1);
  std::vector<std::uint64_t> words;
  for (std::uint64_t lane = 0; lane < 64; ++lane) words.push_back(4096 + lane % 16 * 4);
  traffic.touch_atomic(words);
  EXPECT_EQ(traffic.counts().hottest_line, 4U) << "four lanes on each word";
}

/// Rows of this pitch, of which each wave of every workgroup walks along 32, all at the same time.
std::uint64_t busiest_l2_channel(std::uint64_t pitch) {
  const Parameters& p = **builtin_parameters("MI300X");
  DeviceTraffic traffic(p, p.compute_units, 1);
  for (std::uint32_t workgroup = 0; workgroup < p.compute_units; ++workgroup) {
    traffic.enter_wave();
    for (std::uint64_t column = 0; column < 4; ++column) {
      std::vector<std::uint64_t> lines;
      for (std::uint64_t row = 0; row < 32; ++row)
        lines.push_back(((workgroup * 32 + row) * pitch + column * 256) / p.l1_line);
      traffic.touch(0, lines, workgroup, false);
    }
  }
  return traffic.counts().busiest_l2_channel;
}

TEST(L2Channels, RowsOfAPitchOfAPowerOfTwoMeetInOne) {
  const std::uint64_t all = 304 / 8 * 32 * 4;  // of a die
  EXPECT_GT(busiest_l2_channel(4096), all * 3 / 4);
  EXPECT_LT(busiest_l2_channel(4096 + 256), all / 4);
}

/// Lines that dies load although another has them, and need not if neighbouring workgroups ran on one die; each of 1024 workgroups reads what `line_of` says.
template <class Lines>
std::uint64_t placed_badly(const Lines& line_of) {
  const Parameters& p = **builtin_parameters("MI300X");
  DeviceTraffic traffic(p, p.compute_units, 1);
  for (std::uint32_t workgroup = 0; workgroup < 1024; ++workgroup) {
    for (std::uint64_t i = 0; i < 4; ++i) {
      const std::uint64_t one[] = {line_of(workgroup, i)};
      traffic.touch(0, one, workgroup, false);
    }
  }
  return traffic.counts().rows[0].elsewhere;
}

TEST(Dies, ReadAgainWhatNeighboursShareAndNothingElseCouldBePlaced) {
  const auto by_eight = [](std::uint64_t workgroup, std::uint64_t i) {
    return workgroup / 8 * 4 + i;
  };
  EXPECT_EQ(placed_badly(by_eight), 128U * 4 * 7) << "eight neighbours run on eight dies";
  const auto own = [](std::uint64_t workgroup, std::uint64_t i) { return workgroup * 4 + i; };
  EXPECT_EQ(placed_badly(own), 0U);
  const auto table = [](std::uint64_t, std::uint64_t i) { return i; };
  EXPECT_EQ(placed_badly(table), 0U) << "every die needs what all workgroups read";
  const auto anywhere = [](std::uint64_t workgroup, std::uint64_t i) {
    return (workgroup * 4 + i) * 0x9E3779B97F4A7C15U >> 56;
  };
  EXPECT_LT(placed_badly(anywhere), 256U * 7 / 10) << "in no order any die needs any line";
}

TEST_F(WarmTraffic, CountsTheLanesOfAtomicsOnTheBusiestLine) {
  DeviceTraffic traffic(p_, p_.compute_units, 1);
  std::vector<std::uint64_t> same(64, 4096), apart;
  for (std::uint64_t lane = 0; lane < 64; ++lane) apart.push_back(lane * 4096);
  traffic.touch_atomic(same);
  traffic.touch_atomic(apart);
  EXPECT_EQ(traffic.counts().atomic_lanes, 128U);
  EXPECT_GE(traffic.counts().hottest_line, 64U);
}

TEST(UnitCache, RowsOfAnyPitchFillItAlike) {
  UnitCache cache(32768, 128);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t row = 0; row < 32; ++row) {
      for (std::uint64_t line = 0; line < 8; ++line)
        EXPECT_EQ(cache.touch(row * 4096 + line), pass == 1);
    }
  }
}

}  // namespace
}  // namespace rpl::cycle
