// SPDX-License-Identifier: MIT
// What stands between a faster time and an acceptance: resources, and what the machine can do at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/arch/resolve.h"
#include "engine/optimize/loop/physical_floor.h"
#include "engine/optimize/loop/stages.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> resources(const ResourceUse& before, const ResourceUse& after) {
  std::vector<std::string> out;
  for (const ResourceFinding& finding : resource_findings(before, after))
    out.push_back(finding.resource);
  return out;
}

const ResourceUse kUse{
    .time_ns = 1000, .vgprs = 50, .waves_per_cu = 20, .lds_bytes = 1000, .dram_bytes = 10000};

TEST(Resources, WhatIsAtItsLimitIsNoRegression) {
  EXPECT_THAT(resources(kUse, kUse), IsEmpty());
  EXPECT_THAT(resources(kUse, {.time_ns = 1050,
                               .vgprs = 60,
                               .waves_per_cu = 17,
                               .lds_bytes = 1300,
                               .dram_bytes = 11000}),
              IsEmpty());
}

TEST(Resources, WhatIsBeyondIsOne) {
  EXPECT_THAT(resources(kUse, {.time_ns = 1051,
                               .vgprs = 61,
                               .waves_per_cu = 16,
                               .lds_bytes = 1301,
                               .dram_bytes = 11001}),
              ElementsAre("runtime", "vgprs", "occupancy", "lds", "dram-traffic"));
  EXPECT_THAT(
      resources(kUse,
                {.time_ns = 500, .vgprs = 20, .waves_per_cu = 32, .lds_bytes = 0, .dram_bytes = 1}),
      IsEmpty())
      << "less is better, of occupancy more";
}

TEST(Resources, UnknownIsComparedWithNothingAndNoneMayNotBecomeSome) {
  EXPECT_THAT(resources({}, kUse), IsEmpty());
  EXPECT_THAT(resources(kUse, {}), IsEmpty());
  const auto found = resource_findings({.lds_bytes = 0}, {.lds_bytes = 64});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "0 -> 64 bytes of LDS: the baseline uses none");
  EXPECT_FALSE(found[0].change.has_value());
}

TEST(Resources, SaysHowMuch) {
  const auto found =
      resource_findings({.vgprs = 51, .waves_per_cu = 32}, {.vgprs = 78, .waves_per_cu = 24});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].message, "51 -> 78 VGPRs: 53 % more, 20 % are allowed");
  EXPECT_EQ(found[1].message, "32 -> 24 waves on a compute unit: 25 % fewer, 15 % are allowed");
}

arch::Gpu gpu(const std::string& name) {
  return *arch::resolve(arch::Catalogue::builtin(), name, arch::Overrides{});
}

TEST(Floor, ColdBytesComeFromMemory) {
  const auto floor =
      physical_floor({.bytes = 5324.8e3, .cold = true, .operations = {}}, gpu("MI300X"));
  ASSERT_TRUE(floor.has_value());
  EXPECT_NEAR(floor->ns, 1000, 1e-6) << "5324.8 GB/s";
  EXPECT_THAT(floor->text(),
              AllOf(HasSubstr("5324800 bytes from memory take 1000.0 ns at 5324.8 GB/s"),
                    HasSubstr("MI300X")));
}

TEST(Floor, WarmBytesNeedNotComeFromMemoryUnlessNoCacheHoldsThem) {
  const double mib = 1024.0 * 1024, held = (8 * 4 + 256) * mib;
  const auto small =
      physical_floor({.bytes = held, .cold = false, .operations = {}}, gpu("MI300X"));
  ASSERT_TRUE(small.has_value());
  EXPECT_NEAR(small->ns, held / (2048 * 8 * 2.1), 1e-6)
      << "2048 B/clk of each of 8 dies at 2100 MHz";
  const auto large =
      physical_floor({.bytes = held + 5324.8e6, .cold = false, .operations = {}}, gpu("MI300X"));
  ASSERT_TRUE(large.has_value());
  EXPECT_NEAR(large->ns, 1e6, 1e-3);
  EXPECT_EQ(large->what, "bytes that no cache holds");
}

TEST(Floor, OperationsTakeTheirTime) {
  const auto floor =
      physical_floor({.bytes = 1,
                      .cold = true,
                      .operations = {{"vector f32", 256 * 304 * 2100}, {"unheard of", 1U << 31U}}},
                     gpu("MI300X"));
  ASSERT_TRUE(floor.has_value());
  EXPECT_NEAR(floor->ns, 1000, 1e-6) << "256 in each clock and unit of 304 at 2100 MHz";
  EXPECT_EQ(floor->what, "vector f32 operations");
}

TEST(Floor, WithoutPeaksThereIsNone) {
  EXPECT_FALSE(
      physical_floor({.bytes = 1e9, .cold = true, .operations = {}}, arch::Gpu{}).has_value());
  EXPECT_FALSE(physical_floor({}, gpu("MI300X")).has_value());
}

TEST(Floor, IsReadBackAsItWasKept) {
  const auto floor = physical_floor({.bytes = 1e6, .cold = true, .operations = {}}, gpu("MI300X"));
  const auto again = physical_floor_from(Value(to_record(*floor)));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->text(), floor->text());
  EXPECT_FALSE(physical_floor_from(Value("none")).has_value());
}

/// As the measure stage leaves it.
Proposal measured(double baseline_ns, double candidate_ns, double floor_ns,
                  const std::vector<ResourceFinding>& findings = {}) {
  Proposal out;
  out.state = ProposalState::measured;
  out.evidence = {{"measure", Value(Record{{"baseline", Record{{"time_ns", baseline_ns}}},
                                           {"candidate", Record{{"time_ns", candidate_ns}}},
                                           {"floor", to_record({.ns = floor_ns,
                                                                .amount = 1e6,
                                                                .rate = 1e6 / floor_ns,
                                                                .what = "bytes from memory",
                                                                .of = "MI300X"})},
                                           {"resources", to_value(findings)}})}};
  return out;
}

std::vector<std::string> rules_of(const StageOutcome& outcome) {
  std::vector<std::string> out;
  for (const Reason& reason : outcome.reasons) out.push_back(reason.rule);
  return out;
}

TEST(Decide, AForgedTimeBelowTheFloorIsImpossible) {
  const auto forged = decide_stage(measured(1000, 187.7, 187.8), {});
  ASSERT_TRUE(forged.has_value());
  EXPECT_FALSE(forged->passed);
  EXPECT_THAT(rules_of(*forged), ElementsAre("faster-than-possible"));
  EXPECT_EQ(forged->reasons[0].message,
            "187.7 ns are faster than the machine can: 1000000 bytes from memory take 187.8 ns at "
            "5324.8 GB/s, the peak of MI300X. The time or the counts are wrong");
  EXPECT_THAT(forged->found, HasSubstr("improved (modelled)"));
  const auto fair = decide_stage(measured(1000, 187.9, 187.8), {});
  EXPECT_TRUE(fair->passed);
}

TEST(Decide, TheGateRejectsOnlyWhenItIsOn) {
  const auto findings = resource_findings({.vgprs = 50}, {.vgprs = 100});
  const Proposal proposal = measured(1000, 500, 1, findings);
  EXPECT_TRUE(decide_stage(proposal, {.gate = ResourceGate::warn})->passed);
  EXPECT_TRUE(decide_stage(proposal, {.gate = ResourceGate::off})->passed);
  const auto gated = decide_stage(proposal, {.gate = ResourceGate::on});
  EXPECT_FALSE(gated->passed);
  EXPECT_THAT(rules_of(*gated), ElementsAre("resource-vgprs"));
  EXPECT_THAT(gated->found, HasSubstr("50 -> 100 VGPRs: 100 % more"));
}

TEST(Decide, ALongerRuntimeGatesAlways) {
  const auto slower =
      decide_stage(measured(1000, 1100, 1, resource_findings({.time_ns = 1000}, {.time_ns = 1100})),
                   {.gate = ResourceGate::off});
  EXPECT_THAT(rules_of(*slower), ElementsAre("regression", "resource-runtime"));
}

}  // namespace
}  // namespace rpl
