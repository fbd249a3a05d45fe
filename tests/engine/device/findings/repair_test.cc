// SPDX-License-Identifier: MIT
#include "engine/device/findings/repair.h"

#include <gtest/gtest.h>

namespace rpl::findings {
namespace {

TEST(WorthOfARepair, LiesAroundWhatTheIdealSaves) {
  const Worth exact = worth_of(repair_of(Cause::bank_conflicts), 0.5);
  EXPECT_NEAR(exact.low, 0.42, 1e-9);
  EXPECT_NEAR(exact.high, 0.58, 1e-9);
  const Worth replaced = worth_of(repair_of(Cause::contended_atomics), 0.5);
  EXPECT_LT(replaced.low, exact.low) << "values are added up somewhere else";
}

TEST(WorthOfARepair, LeavesLittleWhereTheIdealLeavesNearlyNothing) {
  for (const Cause cause : {Cause::load_imbalance, Cause::small_grid, Cause::contended_atomics}) {
    const Worth worth = worth_of(repair_of(cause), 0.98);
    EXPECT_GE(worth.low, 0.91) << to_string(cause);
    EXPECT_GE(worth.high, 0.98) << to_string(cause);
  }
  EXPECT_LT(worth_of(repair_of(Cause::spills), 0.98).low, 0.7) << "the array has to lie somewhere";
}

TEST(WorthOfARepair, ReachesWhatGoesWithIt) {
  const Repair repair = repair_of(Cause::barriers);
  const Worth alone = worth_of(repair, 0.2),
              more = worth_of(repair, 0.2, {.most = 0.6, .least = 0.36});
  EXPECT_NEAR(more.high, 0.72, 1e-9);
  EXPECT_NEAR(more.low, 0.24, 1e-9);
  EXPECT_LT(alone.low, more.low);
  EXPECT_LT(alone.high, more.high);
}

TEST(WorthOfARepair, IsThatOfTheKindThatIsMeant) {
  const Repair usual = repair_of(Cause::divergence);
  const Worth branches = worth_of(usual, 0.5, {.repair = repair_of_branches()}),
              loops = worth_of(usual, 0.5, {.repair = repair_of_left_loops()});
  EXPECT_LE(branches.high - branches.low, 0.35);
  EXPECT_LT(loops.low, branches.low) << "whoever takes a new piece chooses in each turn";
  const Worth shared =
      worth_of(repair_of(Cause::redundant_loads), 0.1, {.repair = repair_of_shared_loads()});
  EXPECT_EQ(shared.low, 0) << "the LDS may be no better than the L1";
  EXPECT_LE(shared.high, 0.25);
}

TEST(WorthOfARepair, IsNoFurtherAroundThanItIs) {
  for (const CauseInfo& cause : causes()) {
    const Worth worth = worth_of(repair_of(cause.cause), 0.01);
    EXPECT_EQ(worth.low, 0) << cause.name;
    EXPECT_LE(worth.high, 0.05) << cause.name;
  }
}

}  // namespace
}  // namespace rpl::findings
