// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/metrics/roofline/made_kernels.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

const std::map<std::string, double> kCounters{{"TCC_EA0_RDREQ_sum", 500},
                                              {"TCC_BUBBLE_sum", 500},
                                              {"SQ_INSTS_VALU_FMA_F32", 50000},
                                              {"SQ_INSTS_VALU", 60000}};

std::optional<double> value_of(std::string_view field, const RooflinePoint& point) {
  if (field == "flops") return point.flops;
  if (field == "bytes") return point.bytes;
  if (field == "time_ns") return point.time_ns;
  if (field == "arithmetic_intensity") return point.arithmetic_intensity;
  if (field == "achieved_gflops") return point.achieved_gflops;
  if (field == "achieved_gbps") return point.achieved_gbps;
  if (field == "peak_gflops") return point.peak_gflops;
  if (field == "peak_gbps") return point.peak_gbps;
  if (field == "attainable_gflops") return point.attainable_gflops;
  if (field == "roof_share") return point.roof_share;
  return std::nullopt;
}

/// Every leaf names a source or says why it has none.
void expect_rooted(const Derivation& tree, std::string_view field) {
  if (tree.inputs.empty()) {
    EXPECT_FALSE(tree.source.empty() && tree.note.empty()) << field << ": " << tree.name;
  }
  if (!tree.inputs.empty()) {
    EXPECT_FALSE(tree.formula.empty()) << field << ": " << tree.name;
  }
  for (const Derivation& input : tree.inputs) expect_rooted(input, field);
}

TEST(ExplainPoints, EveryFieldHasATreeWithItsValue) {
  const KernelRoofline kernel = test::made_kernel(128, kCounters);
  for (const RooflinePoint& point : kernel.points) {
    for (const std::string_view field : explainable_fields()) {
      const ExplainedMetric explained =
          explain_point(field, kernel, point, test::round_ceilings()).value();
      EXPECT_EQ(explained.ours.value, value_of(field, point))
          << field << " " << arch::to_string(point.level);
      EXPECT_EQ(explained.ours.name.empty(), false) << field;
      expect_rooted(explained.ours, field);
    }
  }
}

TEST(ExplainPoints, TheOlderToolsNumbersStandBeside) {
  const KernelRoofline kernel = test::made_kernel(128, kCounters);
  const auto explained = [&](std::string_view field) {
    return explain_point(field, kernel, kernel.points[0], test::round_ceilings()).value();
  };
  EXPECT_EQ(explained("flops").older->value, 8 * 60000);
  EXPECT_EQ(explained("bytes").older->value, 32000);  // half of it
  EXPECT_EQ(explained("arithmetic_intensity").older->value, 15);
  EXPECT_EQ(explained("peak_gbps").older->value, 50);
  EXPECT_THAT(explained("bytes").older->note, HasSubstr("128 B as 64 B"));
  EXPECT_FALSE(explained("time_ns").older);
}

TEST(ExplainPoints, UnknownFieldsAreNamed) {
  const KernelRoofline kernel = test::made_kernel(128, kCounters);
  const auto wrong = explain_point("colour", kernel, kernel.points[0], test::round_ceilings());
  EXPECT_EQ(wrong.error().code, Errc::not_found);
  EXPECT_THAT(wrong.error().hint, HasSubstr("roof_share"));
}

}  // namespace
}  // namespace rpl
