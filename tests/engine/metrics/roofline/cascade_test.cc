// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/cascade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/metrics/roofline/made_kernels.h"

namespace rpl {
namespace {

TEST(CascadeTest, FollowsTheDataOutwards) {
  const KernelRoofline kernel = test::made_kernel(100, {{"SQ_WAVES", 16},
                                                        {"TCC_HIT_sum", 3},
                                                        {"TCC_MISS_sum", 1},
                                                        {"TCP_TCC_READ_REQ_sum", 2},
                                                        {"TCP_TCC_WRITE_REQ_sum", 1},
                                                        {"TCP_TOTAL_CACHE_ACCESSES_sum", 10},
                                                        {"TCC_EA0_RDREQ_sum", 1},
                                                        {"TCC_BUBBLE_sum", 1},
                                                        {"SQ_LDS_IDX_ACTIVE", 6},
                                                        {"SQ_LDS_BANK_CONFLICT", 2}});
  const MemoryCascade cascade = memory_cascade(kernel, "k", "MI300X");
  EXPECT_EQ(cascade.waves, 16);
  EXPECT_EQ(cascade.lds.bytes, 512);
  EXPECT_EQ(cascade.lds_conflict_rate, 0.5);
  ASSERT_EQ(cascade.stations.size(), 3U);
  EXPECT_EQ(cascade.stations[0].name, "vL1D");
  EXPECT_EQ(cascade.stations[0].hit_rate, 0.7);
  EXPECT_EQ(cascade.stations[0].inward.bytes, 640);
  EXPECT_EQ(cascade.stations[1].name, "L2");
  EXPECT_EQ(cascade.stations[1].hit_rate, 0.75);
  EXPECT_EQ(cascade.stations[1].inward.read_bytes, 256);
  EXPECT_EQ(cascade.stations[1].inward.write_bytes, 64);
  EXPECT_EQ(cascade.stations[1].inward.gbps, 3.2);
  EXPECT_EQ(cascade.stations[2].inward.read_bytes, 128);
  EXPECT_FALSE(cascade.stations[2].has_hit_rate);
  EXPECT_FALSE(cascade.valu_utilization);
  EXPECT_THAT(cascade.missing, testing::Contains("SQ_ACTIVE_INST_VALU"));
}

}  // namespace
}  // namespace rpl
