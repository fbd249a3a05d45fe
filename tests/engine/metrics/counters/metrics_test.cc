// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

MetricInputs gfx(const char* arch, std::map<std::string, double, std::less<>> counters) {
  MetricInputs inputs;
  inputs.arch = arch;
  inputs.counters = std::move(counters);
  inputs.counters_source = "test";
  return inputs;
}

TEST(MetricsTest, AnFmaIsTwoOperationsOfSixtyFourLanes) {
  const auto inputs = gfx("gfx90a", {{"SQ_INSTS_VALU_ADD_F32", 10},
                                     {"SQ_INSTS_VALU_MUL_F32", 20},
                                     {"SQ_INSTS_VALU_TRANS_F32", 5},
                                     {"SQ_INSTS_VALU_FMA_F32", 100}});
  EXPECT_EQ(metric("flops_valu_f32", inputs).value, 64 * (10 + 20 + 5 + 200));
}

TEST(MetricsTest, MatrixOperationsAreCountedWithoutLanes) {
  const auto inputs =
      gfx("gfx942", {{"SQ_INSTS_VALU_MFMA_MOPS_BF16", 3}, {"SQ_INSTS_VALU_MFMA_MOPS_I8", 7}});
  EXPECT_EQ(metric("flops_bf16", inputs).value, 1536);
  EXPECT_EQ(metric("iops_mfma_i8", inputs).value, 3584);
}

TEST(MetricsTest, NoMatrixInstructionMeansNoMatrixWork) {
  EXPECT_EQ(metric("flops_mfma_f8", gfx("gfx942", {{"SQ_INSTS_MFMA", 0}})).value, 0);
  const MetricValue unknown = metric("flops_mfma_f8", gfx("gfx942", {{"SQ_INSTS_MFMA", 8}}));
  EXPECT_FALSE(unknown.value);
  EXPECT_THAT(unknown.missing, testing::ElementsAre("SQ_INSTS_VALU_MFMA_MOPS_F8"));
}

TEST(MetricsTest, BytesFollowTheArchitecture) {
  EXPECT_EQ(metric("hbm_read_bytes",
                   gfx("gfx90a", {{"TCC_EA_RDREQ_sum", 100}, {"TCC_EA_RDREQ_32B_sum", 10}}))
                .value,
            32 * 10 + 64 * 90);
  EXPECT_EQ(metric("hbm_read_bytes", gfx("gfx942", {{"TCC_EA0_RDREQ_sum", 100},
                                                    {"TCC_EA0_RDREQ_32B_sum", 10},
                                                    {"TCC_BUBBLE_sum", 50}}))
                .value,
            128 * 50 + 32 * 10 + 64 * 40);
  // BUBBLE exists on gfx950 and reads 0: it must not be used there.
  EXPECT_EQ(metric("hbm_read_bytes", gfx("gfx950", {{"TCC_EA0_RDREQ_sum", 100},
                                                    {"TCC_EA0_RDREQ_32B_sum", 10},
                                                    {"TCC_EA0_RDREQ_128B_sum", 60},
                                                    {"TCC_BUBBLE_sum", 0}}))
                .value,
            128 * 60 + 32 * 10 + 64 * 30);
  EXPECT_EQ(metric("l2_read_bytes", gfx("gfx90a", {{"TCP_TCC_READ_REQ_sum", 4}})).value, 256);
  EXPECT_EQ(metric("l2_read_bytes", gfx("gfx950", {{"TCP_TCC_READ_REQ_sum", 4}})).value, 512);
  EXPECT_EQ(
      metric("lds_bytes", gfx("gfx942", {{"SQ_LDS_IDX_ACTIVE", 10}, {"SQ_LDS_BANK_CONFLICT", 4}}))
          .value,
      768);
  EXPECT_EQ(metric("hbm_read_bytes", gfx("gfx1100", {{"GL2C_EA_RDREQ_32B_sum", 1},
                                                     {"GL2C_EA_RDREQ_64B_sum", 1},
                                                     {"GL2C_EA_RDREQ_96B_sum", 1},
                                                     {"GL2C_EA_RDREQ_128B_sum", 1}}))
                .value,
            320);
}

TEST(MetricsTest, SharesAreNullWithoutAWhole) {
  EXPECT_EQ(metric("l2_hit_rate", gfx("gfx942", {{"TCC_HIT_sum", 3}, {"TCC_MISS_sum", 1}})).value,
            0.75);
  EXPECT_FALSE(
      metric("l2_hit_rate", gfx("gfx942", {{"TCC_HIT_sum", 0}, {"TCC_MISS_sum", 0}})).value);
}

TEST(MetricsTest, UtilizationCountsTheTimeOfOneXcc) {
  auto inputs = gfx("gfx942", {{"GRBM_GUI_ACTIVE", 8000},
                               {"SQ_ACTIVE_INST_VALU", 152000},
                               {"SQ_VALU_MFMA_BUSY_CYCLES", 304000},
                               {"SQ_WAVE_CYCLES", 608000}});
  inputs.constants = {{"CUS", 304}, {"SIMDS", 4}, {"MAX_WAVES", 32}, {"XCCS_SUMMED", 8}};
  EXPECT_EQ(metric("gui_cycles", inputs).value, 1000);
  EXPECT_EQ(metric("valu_utilization", inputs).value, 0.5);
  EXPECT_EQ(metric("mfma_utilization", inputs).value, 0.25);
  EXPECT_EQ(metric("occupancy", inputs).value, 0.25);
}

TEST(MetricsTest, WhatCannotBeIsMarked) {
  const auto remark = [](const char* name, std::map<std::string, double, std::less<>> counters) {
    return impossible(metric(name, gfx("gfx942", std::move(counters))));
  };
  EXPECT_EQ(remark("l2_hit_rate", {{"TCC_HIT_sum", 3}, {"TCC_MISS_sum", 0}}), "");
  EXPECT_EQ(remark("l2_hit_rate", {}), "");
  EXPECT_THAT(remark("l2_hit_rate", {{"TCC_HIT_sum", 3}, {"TCC_MISS_sum", -1}}),
              HasSubstr("above 1"));
  EXPECT_THAT(remark("lds_bytes", {{"SQ_LDS_IDX_ACTIVE", 3}, {"SQ_LDS_BANK_CONFLICT", 4}}),
              HasSubstr("negative"));
  // A ratio has no upper limit.
  EXPECT_EQ(
      remark("lds_bank_conflict_rate", {{"SQ_LDS_IDX_ACTIVE", 30}, {"SQ_LDS_BANK_CONFLICT", 29}}),
      "");
}

TEST(MetricsTest, NamesWhatIsMissing) {
  const MetricValue value = metric("hbm_bytes", gfx("gfx942", {{"TCC_EA0_RDREQ_sum", 1}}));
  EXPECT_FALSE(value.value);
  EXPECT_THAT(value.missing, testing::ElementsAre("TCC_BUBBLE_sum", "TCC_EA0_RDREQ_32B_sum",
                                                  "TCC_EA0_WRREQ_64B_sum", "TCC_EA0_WRREQ_sum"));
  EXPECT_EQ(metric("flops", gfx("gfx1100", {})).rule, nullptr);
}

TEST(ExplainTest, ShowsTheTreeAndTheOlderFormula) {
  const auto inputs = gfx("gfx942", {{"TCC_EA0_RDREQ_sum", 65775},
                                     {"TCC_EA0_RDREQ_32B_sum", 0},
                                     {"TCC_BUBBLE_sum", 65536},
                                     {"SQ_INSTS_VALU", 98304},
                                     {"SQ_INSTS_VALU_MFMA_MOPS_F32", 0}});
  const ExplainedMetric read = explain_metric("hbm_read_bytes", inputs);
  EXPECT_EQ(read.ours.value, 8403904);
  EXPECT_EQ(read.ours.unit, Unit::bytes);
  EXPECT_THAT(read.ours.formula, HasSubstr("128 * TCC_BUBBLE_sum"));
  ASSERT_EQ(read.ours.inputs.size(), 3U);
  EXPECT_EQ(read.ours.inputs[0].value, 65536);
  EXPECT_EQ(read.ours.inputs[0].source, "test");
  ASSERT_TRUE(read.older);
  EXPECT_EQ(read.older->value, 4209600);
  EXPECT_THAT(read.older->note, HasSubstr("128 B as 64 B"));

  const ExplainedMetric flops = explain_metric("flops", inputs);
  EXPECT_FALSE(flops.ours.value);
  EXPECT_EQ(flops.ours.inputs[0].inputs[0].inputs[0].source, "not recorded");
  ASSERT_TRUE(flops.older);
  EXPECT_EQ(flops.older->value, 786432);
}

}  // namespace
}  // namespace rpl
