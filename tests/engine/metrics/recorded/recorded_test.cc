// SPDX-License-Identifier: MIT
#include "engine/metrics/recorded/recorded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::findings {
namespace {

using diagnose::Facts;
using diagnose::Input;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Cause> causes_of(const std::vector<Finding>& found) {
  std::vector<Cause> out;
  for (const Finding& one : found) out.push_back(one.cause);
  return out;
}
std::vector<Finding> of(const Facts& facts, const MetricInputs* counters = nullptr,
                        std::uint32_t scratch = 0, std::string_view limiter = "") {
  return find_in_recording({facts, counters, scratch, limiter});
}
MetricInputs counted(std::initializer_list<std::pair<const std::string, double>> counters) {
  MetricInputs out;
  out.arch = "gfx942";
  out.counters.insert(counters.begin(), counters.end());
  out.constants = {{"CUS", 304}, {"XCCS_SUMMED", 8}};
  return out;
}

TEST(Recorded, OfNothingSaysNothing) { EXPECT_THAT(of({}), IsEmpty()); }

TEST(Recorded, RequestsForALoadShowThatItIsScattered) {
  // The recorded vector copy of 8 bytes a lane: 4 requests of 128 bytes for a load, 8 of 64 for a store.
  const MetricInputs copy = counted({{"TCP_TCC_READ_REQ_sum", 65536},
                                     {"SQ_INSTS_VMEM_RD", 16384},
                                     {"TCP_TCC_WRITE_REQ_sum", 131072},
                                     {"TCP_TCC_ATOMIC_WITH_RET_REQ_sum", 0},
                                     {"TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", 0},
                                     {"SQ_INSTS_VMEM_WR", 16384}});
  EXPECT_THAT(of({}, &copy), IsEmpty());
  MetricInputs scattered = copy;
  scattered.counters["TCP_TCC_READ_REQ_sum"] = 64 * 16384;
  const auto found = of({}, &scattered);
  ASSERT_THAT(causes_of(found), ElementsAre(Cause::uncoalesced_load));
  EXPECT_EQ(found[0].evidence.at(0).value, 64);
  EXPECT_EQ(found[0].worth->low, 0);
  EXPECT_DOUBLE_EQ(found[0].worth->high, 1 - 8.0 / 64);
}

TEST(Recorded, BankConflictsAreBoundedByTheirCycles) {
  Facts facts;
  facts.add(Input::lds_conflict_rate, 3, "counters");
  EXPECT_FALSE(of(facts).at(0).worth.has_value());
  const MetricInputs counters =
      counted({{"SQ_LDS_BANK_CONFLICT", 304 * 250.0}, {"GRBM_GUI_ACTIVE", 8 * 1000.0}});
  const auto found = of(facts, &counters);
  ASSERT_THAT(causes_of(found), ElementsAre(Cause::bank_conflicts));
  EXPECT_DOUBLE_EQ(found[0].worth->high, 0.25);
}

TEST(Recorded, WaitsOfAThreadTraceAreASymptomBehindCauses) {
  Facts facts;
  facts.add(Input::wait_share, 0.7, "att1");
  facts.add(Input::barrier_share, 0.2, "att1");
  EXPECT_THAT(causes_of(of(facts)), ElementsAre(Cause::barriers, Cause::dependent_loads));
  EXPECT_DOUBLE_EQ(of(facts).at(1).worth->high, 0.5);
  facts.add(Input::roof_share, 0.8, "roofline");
  EXPECT_THAT(causes_of(of(facts)), ElementsAre(Cause::barriers)) << "a roof is near";
}

TEST(Recorded, FewWavesThatWaitAreLimitedByWhatLimitsThem) {
  Facts facts;
  facts.add(Input::occupancy_limit, 0.25, "occupancy");
  facts.add(Input::counter_wait_share, 0.6, "counters");
  EXPECT_THAT(causes_of(of(facts, nullptr, 0, "occupancy: LDS limits")),
              ElementsAre(Cause::lds_limited, Cause::dependent_loads));
  EXPECT_THAT(causes_of(of(facts, nullptr, 0, "occupancy: VGPRs limits")),
              ElementsAre(Cause::register_limited, Cause::dependent_loads));
}

TEST(Recorded, ScratchGridLanesAndRoofsAreSaid) {
  Facts facts;
  facts.add(Input::grid_fill, 0.1, "grid");
  facts.add(Input::active_lanes, 0.5, "counters");
  facts.add(Input::valu_utilization, 0.4, "counters");
  EXPECT_THAT(causes_of(of(facts, nullptr, 64)),
              testing::UnorderedElementsAre(Cause::divergence, Cause::small_grid, Cause::spills));
  Facts roof;
  roof.add(Input::hbm_share, 0.9, "roofline");
  EXPECT_THAT(causes_of(of(roof)), ElementsAre(Cause::bandwidth_used_up));
}

TEST(Recorded, NothingOfNoteIsSaidWhereAllOfItIsKnown) {
  Facts facts;
  facts.add(Input::all_roofs_share, 0.4, "roofline");
  facts.add(Input::active_lanes, 1, "counters");
  EXPECT_THAT(of(facts), IsEmpty());
  facts.add(Input::counter_wait_share, 0.1, "counters");
  EXPECT_THAT(causes_of(of(facts)), ElementsAre(Cause::nothing_of_note));
}

}  // namespace
}  // namespace rpl::findings
