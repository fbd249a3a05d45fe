// SPDX-License-Identifier: MIT
#include "engine/measure/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/measure/reference_run.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::shared_ptr<const isa::CodeObject> wrong(const std::string& name) {
  auto object = isa::CodeObject::open(std::string(RPL_WRONG_KERNELS) + "/" + name + ".gfx942.co");
  EXPECT_TRUE(object.has_value()) << name;
  return *object;
}

VerifyReport verified(const Capture& capture, std::shared_ptr<const isa::CodeObject> candidate, bool bit_exact = false) {
  auto replayer = make_replayer("emu");
  auto report =
      verify({.capture = &capture, .candidate = std::move(candidate), .bit_exact = bit_exact}, **replayer);
  EXPECT_TRUE(report.has_value()) << report.error().message;
  return report ? std::move(*report) : VerifyReport{};
}

Capture addition(std::uint32_t count = 1000) { return test::captured(emu::vector_add("gfx942", count)); }

/// The one reason for which a wrong kernel is refused.
VerifyFinding refusal(const std::string& kernel, std::uint32_t count = 1000, bool bit_exact = false) {
  const VerifyReport report = verified(addition(count), wrong(kernel), bit_exact);
  EXPECT_FALSE(report.passed);
  return report.findings.empty() ? VerifyFinding{} : report.findings.front();
}

TEST(Verify, TheSameKernelPassesOnTwoInputSets) {
  const Capture capture = addition();
  const VerifyReport report = verified(capture, *object_of(capture), true);
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.input_sets, 2U);
  EXPECT_EQ(report.candidate_runs, 4U);
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_TRUE(report.results.front().poisoned);
  EXPECT_EQ(report.results.front().worst.elements, 1000U);
  EXPECT_EQ(report.results.front().element, Element::f32);
}

TEST(Verify, OneElementInAHundredThousand) {
  const VerifyFinding finding = refusal("one_wrong", 100003);
  EXPECT_EQ(finding.rule, "wrong-values");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("argument 3: 1 of 100003 elements"), HasSubstr("the first at 70001")));
}

TEST(Verify, AWritePastTheEndIsAFaultWithItsPlace) {
  const VerifyFinding finding = refusal("past_the_end");
  EXPECT_EQ(finding.rule, "memory-fault");
  EXPECT_THAT(finding.message, HasSubstr("argument 3"));
}

TEST(Verify, DoingNothingLeavesResultsUnwritten) {
  const VerifyFinding finding = refusal("nothing");
  EXPECT_EQ(finding.rule, "unwritten");
  EXPECT_THAT(finding.message, HasSubstr("argument 3: 1000 elements"));
}

TEST(Verify, InputsMustStayAsTheyAre) {
  const VerifyFinding finding = refusal("writes_input");
  EXPECT_EQ(finding.rule, "input-changed");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("argument 1"), HasSubstr("the first at 5")));
}

TEST(Verify, ElementsThatTheBaselineLeavesAloneStayAlone) {
  // One work-item more than elements are computed: 1000 of 1010 are written.
  emu::KernelRun run = emu::vector_add("gfx942", 1010);
  run.arguments[3] = emu::number(1000);
  const VerifyReport report = verified(test::captured(run), wrong("extra_write"));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.front().rule, "extra-write");
  EXPECT_THAT(report.findings.front().message, HasSubstr("1 elements are written that the baseline leaves alone; the first at 1001"));
}

TEST(Verify, WhatNeverEndsIsStopped) { EXPECT_EQ(refusal("endless").rule, "runaway"); }

TEST(Verify, TheLastBitCountsWhereItWasPromised) {
  const Capture capture = addition();
  EXPECT_TRUE(verified(capture, wrong("last_bit")).passed);
  const VerifyFinding finding = refusal("last_bit", 1000, true);
  EXPECT_EQ(finding.rule, "wrong-values");
  EXPECT_THAT(finding.message, HasSubstr("every bit counts"));
}

TEST(Verify, WhatIsAddedToMemoryIsNotPoisoned) {
  // The reduction adds to its result: poison there would be summed up.
  const Capture capture = test::captured(emu::reduce("gfx942", 5000, 3));
  const VerifyReport report = verified(capture, *object_of(capture));
  EXPECT_TRUE(report.passed);
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_FALSE(report.results.front().poisoned);
  EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("could not be poisoned")));
}

TEST(InputSets, DrawFloatsAnewAndLeaveIntegers) {
  const Capture capture = addition();
  const auto sets = input_sets(capture, 2, 1);
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_EQ(sets[0].redrawn, 0U);
  EXPECT_GE(sets[1].redrawn, 1U);
  EXPECT_NE(sets[1].memory, sets[0].memory);
  EXPECT_NE(sets[2].memory, sets[1].memory);
  EXPECT_EQ(input_sets(capture, 2, 1)[2].memory, sets[2].memory);
  const Capture bins = test::captured(emu::histogram("gfx942", 3000, 2));
  EXPECT_EQ(input_sets(bins, 1, 1)[1].redrawn, 0U);
}

}  // namespace
}  // namespace rpl
