// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/metrics/roofline/made_kernels.h"

namespace rpl {
namespace {

using test::made_kernel;
using test::round_ceilings;
using ::testing::Contains;
using ::testing::HasSubstr;

/// 64 000 B read, 6.4 MFLOP in F32: intensity 100 at a ridge of 100.
std::map<std::string, double> at_the_ridge() {
  return {{"TCC_EA0_RDREQ_sum", 500}, {"TCC_BUBBLE_sum", 500}, {"SQ_INSTS_VALU_FMA_F32", 50000}};
}

const RooflinePoint& hbm(const KernelRoofline& kernel) { return kernel.points.at(0); }

TEST(RooflinePoints, ComputesIntensityAndRates) {
  const KernelRoofline kernel = made_kernel(128, at_the_ridge());
  const RooflinePoint& point = hbm(kernel);
  EXPECT_EQ(point.flops, 6.4e6);
  EXPECT_EQ(point.bytes, 64000);
  EXPECT_EQ(point.arithmetic_intensity, 100);
  EXPECT_EQ(point.achieved_gflops, 50e3);
  EXPECT_EQ(point.achieved_gbps, 500);
  EXPECT_EQ(point.peak_gbps, 1000);
  EXPECT_EQ(point.peak_gflops, 100e3);
  EXPECT_EQ(point.attainable_gflops, 100e3);
  EXPECT_EQ(point.roof_share, 0.5);
  EXPECT_EQ(point.bound, RooflineBound::memory);  // on the ridge both need the same time
  EXPECT_EQ(point.remark, "");
}

TEST(RooflinePoints, BoundChangesAtTheRidge) {
  auto counters = at_the_ridge();
  counters["SQ_INSTS_VALU_FMA_F32"] = 50001;
  EXPECT_EQ(hbm(made_kernel(128, counters)).bound, RooflineBound::compute);
  counters["SQ_INSTS_VALU_FMA_F32"] = 49999;
  EXPECT_EQ(hbm(made_kernel(128, counters)).bound, RooflineBound::memory);
}

TEST(RooflinePoints, EachLevelHasItsOwnBound) {
  auto counters = at_the_ridge();
  counters["TCP_TCC_READ_REQ_sum"] = 500;  // the same bytes at four times the bandwidth
  const KernelRoofline kernel = made_kernel(128, counters);
  ASSERT_EQ(kernel.points.size(), 4U);
  EXPECT_EQ(kernel.points[1].level, arch::Level::l2);
  EXPECT_EQ(kernel.points[1].bound, RooflineBound::compute);
}

TEST(RooflinePoints, ACopyIsMemoryBoundWithoutATime) {
  const KernelRoofline kernel =
      made_kernel(0, {{"TCC_EA0_RDREQ_sum", 500}, {"TCC_BUBBLE_sum", 500}});
  EXPECT_EQ(hbm(kernel).flops, 0);
  EXPECT_EQ(hbm(kernel).arithmetic_intensity, 0);
  EXPECT_EQ(hbm(kernel).bound, RooflineBound::memory);
  EXPECT_FALSE(hbm(kernel).achieved_gbps);
  EXPECT_FALSE(hbm(kernel).roof_share);
}

TEST(RooflinePoints, NothingAtAllHasNoBound) {
  const KernelRoofline kernel = made_kernel(100, {});
  EXPECT_EQ(hbm(kernel).bound, RooflineBound::unknown);
  EXPECT_FALSE(hbm(kernel).arithmetic_intensity);
}

TEST(RooflinePoints, UnitsWorkSideBySideTypesOneAfterTheOther) {
  // 64 000 FLOP F32 take 0.64 ns, 512 000 BF16 0.512 ns: the vector ALU limits, and the peak is all FLOPs in its time.
  const KernelRoofline kernel =
      made_kernel(10, {{"SQ_INSTS_VALU_FMA_F32", 500}, {"SQ_INSTS_VALU_MFMA_MOPS_BF16", 1000}});
  EXPECT_EQ(kernel.flops, 576000);
  EXPECT_NEAR(hbm(kernel).peak_gflops.value(), 576000 / 0.64, 1e-6);
}

TEST(RooflinePoints, IntegersAreNoFlopsButTakeTime) {
  const KernelRoofline kernel = made_kernel(
      10, {{"SQ_INSTS_VALU_MFMA_MOPS_I8", 10000}, {"TCC_EA0_RDREQ_sum", 1}, {"TCC_BUBBLE_sum", 1}});
  EXPECT_EQ(kernel.flops, 0);
  EXPECT_EQ(hbm(kernel).bound, RooflineBound::compute);
  EXPECT_NEAR(hbm(kernel).roof_share.value(), 0.512, 1e-12);
  const auto types = points_by_type(kernel, arch::Level::hbm, round_ceilings());
  ASSERT_EQ(types.size(), 1U);
  EXPECT_EQ(to_string(*types[0].type), "matrix i8");
  EXPECT_EQ(types[0].flops, 5120000);
  EXPECT_EQ(types[0].peak_gflops, 1000e3);
}

TEST(RooflinePoints, TypesAreSeparate) {
  const KernelRoofline kernel =
      made_kernel(10, {{"SQ_INSTS_VALU_ADD_F32", 500}, {"SQ_INSTS_VALU_MFMA_MOPS_BF16", 1000}});
  const auto types = points_by_type(kernel, arch::Level::hbm, round_ceilings());
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0].flops, 32000);
  EXPECT_EQ(types[1].flops, 512000);
}

TEST(RooflinePoints, AboveARoofIsMarkedAndNotCapped) {
  const KernelRoofline kernel = made_kernel(50, at_the_ridge());
  EXPECT_EQ(hbm(kernel).achieved_gbps, 1280);
  EXPECT_EQ(hbm(kernel).roof_share, 1.28);
  EXPECT_THAT(hbm(kernel).remark, HasSubstr("128 % of the roof"));
}

TEST(RooflinePoints, WhatTheMemoryCannotGiveIsHeldAgainstTheInfinityCache) {
  Ceilings ceilings = round_ceilings();
  ceilings.bandwidth[arch::Level::mall] = ceilings.bandwidth[arch::Level::l2];
  ceilings.bandwidth[arch::Level::mall].value = 2000;
  const KernelRoofline kernel = made_kernel(50, at_the_ridge(), ceilings);
  ASSERT_EQ(kernel.points.size(), 5U);
  EXPECT_EQ(hbm(kernel).roof_share, 1.28);
  EXPECT_THAT(hbm(kernel).remark, HasSubstr("came from the Infinity Cache"));
  const RooflinePoint& cache = kernel.points.back();
  EXPECT_EQ(cache.level, arch::Level::mall);
  EXPECT_EQ(cache.bytes, hbm(kernel).bytes);
  EXPECT_EQ(cache.achieved_gbps, 1280);
  EXPECT_EQ(cache.peak_gbps, 2000);
  EXPECT_THAT(cache.remark, HasSubstr("128 % of the roof")) << "by its arithmetic";
}

TEST(RooflinePoints, NegativeAmountsAreMarked) {
  const KernelRoofline kernel = made_kernel(50, {{"TCC_BUBBLE_sum", 500},
                                                 {"TCC_EA0_RDREQ_32B_sum", 0},
                                                 {"TCC_EA0_WRREQ_sum", 0},
                                                 {"TCC_EA0_WRREQ_64B_sum", 0},
                                                 {"TCC_EA0_RDREQ_sum", -5000}});
  EXPECT_THAT(hbm(kernel).remark, HasSubstr("negative"));
}

TEST(RooflinePoints, NamesWhatIsMissing) {
  KernelMeasurement measured;
  measured.arch = "gfx942";
  measured.counters["TCC_EA0_RDREQ_sum"] = {10, 1, false};
  MetricInputs inputs =
      metric_inputs(measured.counters, test::gpu("MI300X"), "made up", Provenance::recorded);
  const KernelRoofline kernel = kernel_roofline(measured, inputs, round_ceilings());
  EXPECT_FALSE(kernel.flops);
  EXPECT_FALSE(hbm(kernel).bytes);
  EXPECT_EQ(hbm(kernel).bound, RooflineBound::unknown);
  EXPECT_THAT(kernel.missing, Contains("TCC_BUBBLE_sum"));
  EXPECT_THAT(kernel.missing, Contains("SQ_INSTS_VALU_MFMA_MOPS_F8"));
}

TEST(RooflinePoints, ArchitecturesWithoutFlopsHaveBytesOnly) {
  KernelMeasurement measured;
  measured.arch = "gfx1100";
  measured.time = {100, 1, TimeSource::plain};
  for (const char* name :
       {"GL2C_EA_RDREQ_32B_sum", "GL2C_EA_RDREQ_96B_sum", "GL2C_EA_RDREQ_128B_sum",
        "GL2C_EA_WRREQ_64B_sum", "GL2C_MC_WRREQ_sum"}) {
    measured.counters[name] = {0, 1, false};
  }
  measured.counters["GL2C_EA_RDREQ_64B_sum"] = {1000, 1, false};
  MetricInputs inputs =
      metric_inputs(measured.counters, test::gpu("gfx1100"), "made up", Provenance::recorded);
  const KernelRoofline kernel =
      kernel_roofline(measured, inputs, spec_ceilings(test::gpu("gfx1100")));
  ASSERT_EQ(kernel.points.size(), 1U);
  EXPECT_EQ(hbm(kernel).bytes, 64000);
  EXPECT_EQ(hbm(kernel).achieved_gbps, 640);
  EXPECT_FALSE(hbm(kernel).flops);
  EXPECT_EQ(hbm(kernel).bound, RooflineBound::unknown);
}

TEST(MetricInputsTest, KnowsHowManyXccsASumIsOf) {
  CounterReadings counters;
  counters["GRBM_GUI_ACTIVE"] = {800, 1, true};
  EXPECT_EQ(
      metric("gui_cycles", metric_inputs(counters, test::gpu("MI300X"), "", Provenance::recorded))
          .value,
      100);
  counters["GRBM_GUI_ACTIVE"].summed_over_xccs = false;
  EXPECT_EQ(
      metric("gui_cycles", metric_inputs(counters, test::gpu("MI300X"), "", Provenance::recorded))
          .value,
      800);
}

}  // namespace
}  // namespace rpl
