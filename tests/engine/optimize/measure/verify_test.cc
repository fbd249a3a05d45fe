// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "engine/base/interrupt.h"
#include "engine/capture/find_captures.h"
#include "engine/optimize/verify/oracle.h"
#include "engine/optimize/verify/reference_run.h"
#include "engine/target/emu/emulated_target.h"
#include "tests/engine/capture/captured.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::shared_ptr<const isa::CodeObject> wrong(const std::string& name) {
  auto object = isa::CodeObject::open(std::string(RPL_WRONG_KERNELS) + "/" + name + ".gfx942.co");
  EXPECT_TRUE(object.has_value()) << name;
  return *object;
}

VerifyReport verified(const Capture& capture, std::shared_ptr<const isa::CodeObject> candidate,
                      bool bit_exact = false) {
  EmulatedTarget target;
  auto report = verify(
      {.capture = &capture, .candidate = std::move(candidate), .bit_exact = bit_exact}, target);
  EXPECT_TRUE(report.has_value()) << report.error().message;
  return report ? std::move(*report) : VerifyReport{};
}

Capture addition(std::uint32_t count = 1000) {
  return test::captured(emu::vector_add("gfx942", count));
}

/// The one reason for which a wrong kernel is refused.
VerifyFinding refusal(const std::string& kernel, std::uint32_t count = 1000,
                      bool bit_exact = false) {
  const VerifyReport report = verified(addition(count), wrong(kernel), bit_exact);
  EXPECT_FALSE(report.passed);
  return report.findings.empty() ? VerifyFinding{} : report.findings.front();
}

TEST(Verify, TheSameKernelPassesOnEveryInputSet) {
  const Capture capture = addition();
  const VerifyReport report = verified(capture, *object_of(capture), true);
  EXPECT_TRUE(report.passed);
  EXPECT_THAT(report.sets,
              testing::ElementsAre(
                  "captured input", "inputs drawn again", "signs and ties",
                  "NaN, infinities, denormals", "wide exponents", "infinities at ends of rows",
                  "infinities at ends of rows", "few different values", "few different values",
                  "other scalar arguments", "other scalar arguments", "other scalar arguments",
                  "other scalar arguments", "larger buffers", "larger buffers", "larger buffers",
                  "other scalar arguments", "other scalar arguments", "other scalar arguments",
                  "other scalar arguments", "other addresses", "another launch"));
  EXPECT_EQ(report.input_sets, report.sets.size());
  EXPECT_EQ(report.candidate_runs, 3 * report.sets.size());
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_TRUE(report.results.front().poisoned);
  EXPECT_EQ(report.results.front().worst.elements, 1000U);
  EXPECT_EQ(report.results.front().element, Element::f32);
}

// Runs over much memory are few, and everything else is tried with fewer elements.
TEST(Verify, WhatIsLargeIsTriedWithSmallCountsToo) {
  const Capture capture = addition(500'000);
  const VerifyReport report = verified(capture, *object_of(capture), true);
  EXPECT_TRUE(report.passed);
  for (const char* kind :
       {"captured input", "inputs drawn again", "signs and ties", "NaN, infinities, denormals",
        "wide exponents", "few different values", "other scalar arguments", "larger buffers",
        "other addresses", "another launch"})
    EXPECT_THAT(report.sets, testing::Contains(kind));
  // Few runs at the captured size, all of them where it is small.
  EXPECT_EQ(report.schedules.size(), report.sets.size());
  EXPECT_THAT(report.schedules.front(), testing::HasSubstr(", 1 poison, 1 order, "));
  EXPECT_THAT(report.schedules.back(),
              testing::HasSubstr("2 poisons, 2 orders, drawn orders of waves"));
  const VerifyReport off = verified(capture, wrong("last_bit"), true);
  EXPECT_FALSE(off.passed);
}

/// A device on which runs in another order give a slightly other first result, as atomics of floats do; the candidate is off by more or less.
class Unsteady : public Target {
 public:
  Unsteady(const isa::CodeObject* candidate, float by) : candidate_(candidate), by_(by) {}
  [[nodiscard]] TargetKind kind() const override { return TargetKind::emu; }
  Result<ReplaySeries> replay(const ReplayPlan& plan) override {
    auto out = replay_emulated(plan);
    if (!out) return out;
    const bool in_order = plan.execute.variation.side_by_side == 0;
    const float shift = plan.object.get() == candidate_ ? by_ : in_order ? 0.0F : 0.5F;
    float value = 0;
    std::memcpy(&value, out->memory[2].data(), sizeof(value));
    value += shift;
    std::memcpy(out->memory[2].data(), &value, sizeof(value));
    return out;
  }

 private:
  const isa::CodeObject* candidate_;
  float by_;
};

TEST(Verify, WhatTheBaselineDiffersFromItselfIsTolerated) {
  const Capture capture = addition();
  const auto against = [&](float by) {
    const auto candidate = std::make_shared<const isa::CodeObject>(**object_of(capture));
    Unsteady target(candidate.get(), by);
    auto report = verify(
        {.capture = &capture, .candidate = candidate, .more_inputs = 0, .other_arguments = false},
        target);
    EXPECT_TRUE(report.has_value());
    return *report;
  };
  const VerifyReport tolerated = against(0.25F);
  EXPECT_TRUE(tolerated.findings.empty() || tolerated.undecided);
  EXPECT_NEAR(tolerated.results.front().own_difference, 0.5, 1e-3);
  EXPECT_THAT(
      tolerated.notes,
      testing::Contains(HasSubstr("argument 3: the baseline differs from itself by up to 0.5")));
  const VerifyReport refused = against(2.0F);
  EXPECT_FALSE(refused.passed);
  EXPECT_EQ(refused.findings.front().rule, "wrong-values");
}

// Captured inputs that are zeros say nothing, drawn ones do.
TEST(Verify, ConstantInputsAreDrawnAnew) {
  emu::KernelRun run = emu::vector_add("gfx942", 1000);
  for (int i = 0; i < 2; ++i) run.arguments[i] = emu::floats(1000);
  const Capture capture = test::captured(run);
  EXPECT_TRUE(verified(capture, *object_of(capture)).passed);
  const VerifyReport wrong_elsewhere = verified(capture, wrong("last_bit"), true);
  EXPECT_FALSE(wrong_elsewhere.passed);
}

TEST(Verify, AWeakOracleIsAVerdict) {
  emu::KernelRun run = emu::vector_add("gfx942", 1000);
  for (int i = 0; i < 2; ++i) run.arguments[i] = emu::floats(1000);
  const Capture capture = test::captured(run);
  EmulatedTarget target;
  const auto report = verify({.capture = &capture,
                              .candidate = *object_of(capture),
                              .more_inputs = 0,
                              .other_arguments = false},
                             target);
  ASSERT_TRUE(report.has_value());
  EXPECT_FALSE(report->passed);
  EXPECT_TRUE(report->undecided);
  EXPECT_EQ(report->findings.front().rule, "weak-oracle");
  EXPECT_THAT(report->findings.front().message,
              HasSubstr("undecided: weak oracle: every result is one value everywhere"));
}

TEST(Verify, EqualSeedsDrawEqualInputsAndOthersDoNot) {
  const Capture capture = addition();
  EmulatedTarget target;
  const std::shared_ptr<const isa::CodeObject> captured;
  const Runner runner{target, capture, captured};
  const auto memory_of = [&](std::uint64_t seed) {
    const auto study = BaselineStudy::begin(runner, {.seed = seed});
    return (*(*study)->set(runner, 1))->input.memory;
  };
  EXPECT_EQ(memory_of(7), memory_of(7));
  EXPECT_NE(memory_of(7), memory_of(8));
}

TEST(Oracle, LazyKernelsFailOnACaptureThatSaysSomething) {
  const Capture good = addition();
  const auto image = replay_once({.capture = &good})->memory;
  const OracleStrength strong = oracle_strength(good, image);
  EXPECT_TRUE(strong.null_fails && strong.copy_fails);
  EXPECT_TRUE(strong.weaknesses.empty());
  MemoryImage copied = image, unchanged = image, constant = image;
  copied[2] = copied[0];
  unchanged[2] = good.regions[2].before;
  std::fill(constant[2].begin(), constant[2].end(), std::byte{7});
  EXPECT_FALSE(oracle_strength(good, copied).copy_fails);
  EXPECT_FALSE(oracle_strength(good, unchanged).null_fails);
  EXPECT_THAT(oracle_strength(good, constant).weaknesses,
              testing::ElementsAre(HasSubstr("stores a constant")));
}

TEST(SelfCheck, HoldsTheCaptureItselfAgainstLazyKernels) {
  Capture capture = addition();
  EXPECT_EQ(self_check(capture).verdict, "strong");
  EXPECT_EQ(warning_of(self_check(capture)), "");
  Capture idle = capture;
  for (CapturedRegion& region : idle.regions) region.after.reset();
  EXPECT_EQ(self_check(idle).verdict, "weak");
  EXPECT_THAT(warning_of(self_check(idle)),
              HasSubstr("weak capture: the dispatch changes no memory"));
  Capture copies = capture;
  copies.regions[2].after = copies.regions[0].before;
  EXPECT_EQ(self_check(copies).verdict, "weak");
  capture.has_after = false;
  EXPECT_EQ(self_check(capture).verdict, "unchecked");
  EXPECT_THAT(warning_of(self_check(capture)), HasSubstr("'capture verify' runs it"));
}

TEST(SelfCheck, IsKeptWithTheCaptureAndReadFromThere) {
  const testing_support::TempDir folder;
  Capture capture = addition();
  capture.regions[2].after = capture.regions[0].before;
  ASSERT_TRUE(write_capture(folder / "c", capture).has_value());
  EXPECT_EQ(look_at_capture(folder / "c")->check.verdict, "unchecked");
  ASSERT_TRUE(mark_capture(folder / "c", capture).has_value());
  const auto found = look_at_capture(folder / "c");
  EXPECT_EQ(found->check.verdict, "weak");
  EXPECT_THAT(found->check.weaknesses,
              testing::ElementsAre(HasSubstr("a kernel that copies it would pass")));
  EXPECT_TRUE(read_capture(folder / "c").has_value());
  // The mark of another capture, and what is no mark, count for nothing.
  for (const std::string& text :
       {check_json({.verdict = "strong", .weaknesses = {}}, std::string(64, '0')),
        std::string("{}"), std::string()}) {
    folder.write("c/self_check.json", text);
    EXPECT_EQ(look_at_capture(folder / "c")->check.verdict, "unchecked") << text;
  }
  EXPECT_TRUE(remove_capture(folder / "c").has_value());
}

TEST(Verify, WhatTheTimedRunLeftIsHeldAgainstTheBaseline) {
  const Capture capture = addition();
  const auto image = replay_once({.capture = &capture})->memory;
  EXPECT_TRUE(compare_results(capture, image, image, true).empty());
  MemoryImage other = image;
  other[2][403] ^= std::byte{0x40};
  const auto findings = compare_results(capture, image, other, false);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(
      findings[0].message,
      HasSubstr("argument 3: 1 of 1000 elements differ after the timed run; the first at 100"));
}

TEST(Verify, OneElementInAHundredThousand) {
  const VerifyFinding finding = refusal("one_wrong", 100003);
  EXPECT_EQ(finding.rule, "wrong-values");
  EXPECT_THAT(finding.message, AllOf(HasSubstr("argument 3: 1 of 100003 elements"),
                                     HasSubstr("the first at 70001")));
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
  EXPECT_THAT(
      report.findings.front().message,
      HasSubstr("1 elements are written that the baseline leaves alone; the first at 1001"));
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

BufferTraits role_of(const emu::KernelRun& run, std::size_t region) {
  const Capture capture = test::captured(run);
  EmulatedTarget target;
  const std::shared_ptr<const isa::CodeObject> captured;
  const auto study = BaselineStudy::begin({target, capture, captured}, {.seed = 3});
  EXPECT_TRUE(study.has_value());
  return (*study)->traits()[region];
}

TEST(InputSets, WhatABufferDecidesIsFoundOut) {
  EXPECT_EQ(role_of(emu::vector_add("gfx942", 1000), 0).role, Role::value);
  // Bins are addresses, and those that are drawn stay within the histogram.
  EXPECT_NE(role_of(emu::histogram("gfx942", 3000, 2), 0).role, Role::value);
}

TEST(InputSets, WhatIsSortedStaysSortedAndWhatIsDistinctStaysDistinct) {
  const auto bytes_of = [](const std::vector<std::uint32_t>& values) {
    std::vector<std::byte> out(values.size() * 4);
    std::memcpy(out.data(), values.data(), out.size());
    return out;
  };
  const BufferTraits indices{.element = Element::u32, .role = Role::structure};
  Random random(5);
  std::vector<std::byte> out;
  EXPECT_TRUE(draw(InputClass::again, indices, bytes_of({0, 4, 8, 12, 16, 20}), random, out));
  auto drawn = emu::values_of<std::uint32_t>(out);
  EXPECT_TRUE(std::ranges::is_sorted(drawn));
  EXPECT_EQ(drawn.back(), 20U);
  const std::vector<std::uint32_t> links = {3, 0, 7, 1, 5, 2, 4, 6};
  EXPECT_TRUE(draw(InputClass::wide, indices, bytes_of(links), random, out));
  EXPECT_THAT(emu::values_of<std::uint32_t>(out), testing::UnorderedElementsAreArray(links));
}

TEST(InputSets, NothingMoreIsDrawnOnceSomebodyAskedForAnEnd) {
  const std::vector<std::byte> held(std::size_t{1} << 16, std::byte{0x3e});
  Random random(5);
  std::vector<std::byte> out;
  for (const Element element : {Element::f32, Element::f64, Element::u8, Element::i32}) {
    for (const bool mixed : {false, true}) {
      const BufferTraits traits{.element = element, .mixed = mixed, .role = Role::value};
      EXPECT_TRUE(draw(InputClass::wide, traits, held, random, out)) << to_string(element);
      EXPECT_TRUE(draw_any(traits, held, random, out)) << to_string(element);
      const interrupt::ForNow stopped;
      EXPECT_FALSE(draw(InputClass::wide, traits, held, random, out)) << to_string(element);
      EXPECT_EQ(out, held) << to_string(element);
      EXPECT_FALSE(draw_any(traits, held, random, out)) << to_string(element);
    }
  }
}

TEST(InputSets, TypesThatNobodySaysAreSeenInWhatBuffersHold) {
  Capture capture = addition();
  for (CapturedArgument& argument : capture.arguments) argument.element.reset();
  EXPECT_EQ(infer_traits(capture, 0, capture.regions[0].before).element, Element::f32);
  for (std::size_t at = 0; at < capture.regions[0].size; ++at)
    capture.regions[0].before[at] = static_cast<std::byte>(at % 4 == 0 ? at / 4 : 0);
  EXPECT_EQ(infer_traits(capture, 0, capture.regions[0].before).element, Element::u32);
}

}  // namespace
}  // namespace rpl
