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
  EXPECT_EQ(traffic.read_bytes(), 1000 * p_.l1_line);
  EXPECT_EQ(traffic.memory_bytes(), 1000 * p_.l1_line);
  const auto first = traffic.first_touches();
  EXPECT_EQ(first[0].in_l2, 0) << "the first workgroup brings the lines";
  EXPECT_EQ(first[1].in_l2, 1) << "the second one finds them";
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
  EXPECT_NEAR(static_cast<double>(traffic.written_bytes()),
              static_cast<double>(kLines * p_.l1_line), 0.02 * kLines * p_.l1_line);
  EXPECT_EQ(traffic.read_bytes(), 0U);
}

}  // namespace
}  // namespace rpl::cycle
