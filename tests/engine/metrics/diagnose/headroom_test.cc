// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/headroom.h"

#include <gmock/gmock.h>

#include "kernels.h"

namespace rpl::diagnose {
namespace {

using enum Input;

TEST(Headroom, IsUnknownWithoutARoof) {
  const Headroom room = headroom(facts_of(
      {{wait_share, 0.9}, {stall_share, 0.95}, {occupancy_limit, 0.25}, {next_occupancy, 0.5}}));
  EXPECT_FALSE(room.high);
  EXPECT_FALSE(room.low);
  EXPECT_FALSE(room.priority);
  EXPECT_NE(room.why_unknown, "");
  EXPECT_EQ(room.waits, 0.9);
}

TEST(Headroom, ARoofThatIsFarSaysNothingWithoutDeviceMemory) {
  EXPECT_FALSE(headroom(facts_of({{compute_share, 0}, {l2_share, 0.3}})).high);
  EXPECT_DOUBLE_EQ(*headroom(facts_of({{compute_share, 0.75}})).high, 0.25);
}

TEST(Headroom, EndsAtTheNearestRoof) {
  const Headroom room = headroom(facts_of({{hbm_share, 0.3}, {compute_share, 0.75}}));
  EXPECT_DOUBLE_EQ(*room.high, 0.25);
  EXPECT_DOUBLE_EQ(*room.low, 0);
  EXPECT_FALSE(room.priority) << "criticality is unknown";
}

TEST(Headroom, TheNextStepHidesWaits) {
  const Headroom room = headroom(facts_of({{hbm_share, 0.2},
                                           {wait_share, 0.6},
                                           {occupancy_limit, 0.25},
                                           {next_occupancy, 0.375},
                                           {grid_fill, 1},
                                           {critical_share, 0.5}}));
  EXPECT_DOUBLE_EQ(*room.step, 0.6 * (1 - 0.25 / 0.375));
  EXPECT_DOUBLE_EQ(*room.low, *room.step);
  EXPECT_EQ(room.cause, "next occupancy step");
  EXPECT_DOUBLE_EQ(*room.priority, 0.5 * 0.8);
}

TEST(Headroom, NoStepWhileTheGridDoesNotFillTheDevice) {
  const Headroom room = headroom(facts_of({{hbm_share, 0.2},
                                           {wait_share, 0.6},
                                           {occupancy_limit, 0.25},
                                           {next_occupancy, 0.375},
                                           {grid_fill, 0.9}}));
  EXPECT_FALSE(room.step);
}

TEST(Headroom, OnlySteadyKernelsAreExpectedToReachARoof) {
  const Values steady{{hbm_share, 0.3}, {duration_ns, 50000}, {grid_fill, 1}};
  EXPECT_DOUBLE_EQ(*headroom(facts_of(steady)).low, 0.5);
  EXPECT_EQ(headroom(facts_of(steady)).cause, "reachable part of the roof");
  for (const auto& [input, value] : Values{{duration_ns, 5000}, {grid_fill, 0.4}}) {
    Values other = steady;
    other[input] = value;
    EXPECT_DOUBLE_EQ(*headroom(facts_of(other)).low, 0) << to_string(input);
  }
}

TEST(Headroom, StallAloneChangesNothing) {
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    Values stalled = kernel.values;
    stalled[stall_share] = 0.99;
    const Headroom with = headroom(facts_of(stalled)), without = headroom(facts_of(kernel.values));
    EXPECT_EQ(with.low, without.low) << kernel.name;
    EXPECT_EQ(with.high, without.high) << kernel.name;
  }
}

TEST(Headroom, IsAnIntervalOfShares) {
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    const Headroom room = headroom(facts_of(kernel.values));
    ASSERT_TRUE(room.high) << kernel.name;
    EXPECT_GE(*room.low, 0) << kernel.name;
    EXPECT_LE(*room.low, *room.high) << kernel.name;
    EXPECT_LE(*room.high, 1) << kernel.name;
  }
}

TEST(Headroom, ItsTreeHasTheSameNumbers) {
  const Facts facts = facts_of({{hbm_share, 0.2},
                                {wait_share, 0.6},
                                {stall_share, 0.763},
                                {occupancy_limit, 0.25},
                                {next_occupancy, 0.375},
                                {grid_fill, 1}});
  const Headroom room = headroom(facts);
  EXPECT_EQ(explain_headroom_high(facts).value, room.high);
  const Derivation low = explain_headroom_low(facts);
  EXPECT_EQ(low.value, room.low);
  ASSERT_EQ(low.inputs.size(), 3U);
  EXPECT_EQ(low.inputs[1].value, room.step);
  // The worked example of the reference: 76.3 % stall is told as 43.3 %, and 0.8 of it as headroom.
  EXPECT_NEAR(*older_headroom(facts).value, 0.8 * 0.4328, 1e-4);
  EXPECT_FALSE(older_headroom(Facts{}).value);
}

}  // namespace
}  // namespace rpl::diagnose
