// SPDX-License-Identifier: MIT
// Two recordings: whether their steps differ, and by which kernels.
#include <gtest/gtest.h>

#include "engine/graph/comparison.h"
#include "engine/graph/step_lengths.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using testing::tiny_trace;
using testing::TinyOp;
using testing::TinyTrace;

/// Steps of three kernels, of which `b` takes `b_ns`, with lengths that differ by up to `noise_ns`.
std::shared_ptr<const Trace> steps(int count, std::int64_t b_ns, std::int64_t noise_ns = 0) {
  std::vector<TinyOp> ops;
  std::int64_t at = 0;
  for (int i = 0; i < count; ++i) {
    const std::int64_t more = noise_ns == 0 ? 0 : (i * 7919 % 101) * noise_ns / 100;
    for (const auto& [kernel, ns] :
         {std::pair<const char*, std::int64_t>{"a", 100}, {"b", b_ns}, {"c", 50 + more}}) {
      ops.push_back({.kernel = kernel, .start_ns = at, .end_ns = at + ns});
      at += ns;
    }
  }
  return tiny_trace(ops);
}

TEST(Comparison, TellsWhichStepIsSlowerAndWhy) {
  const auto before = steps(20, 200, 10), after = steps(30, 260, 10);
  const Comparison found = compare_recordings(*before, *after).value();
  ASSERT_TRUE(found.before && found.after && found.ratio);
  EXPECT_EQ(found.before->steps, 19U);
  EXPECT_EQ(found.after->steps, 29U);
  EXPECT_NEAR(*found.ratio, 415.0 / 355, 0.01);
  EXPECT_LE(*found.low, *found.ratio);
  EXPECT_GE(*found.high, *found.ratio);
  EXPECT_EQ(found.verdict, StepVerdict::slower);
  EXPECT_EQ(compare_recordings(*after, *before).value().verdict, StepVerdict::faster);
  ASSERT_TRUE(found.by_step);
  EXPECT_EQ(found.changes[0].kernel->name, "b");
  EXPECT_NEAR(found.changes[0].change_ns(), 60, 2);
}

TEST(Comparison, OfTheSameIsTheSame) {
  const auto one = steps(40, 200, 2), other = steps(40, 200, 2);
  EXPECT_EQ(compare_recordings(*one, *other).value().verdict, StepVerdict::same);
}

TEST(Comparison, IsUnclearWhereStepsDifferMoreThanTheRecordings) {
  const auto one = steps(12, 200, 400), other = steps(12, 206, 400);
  EXPECT_EQ(compare_recordings(*one, *other).value().verdict, StepVerdict::unclear);
}

TEST(Comparison, WithoutStepsIsOfTheWholeRecording) {
  const auto one = steps(2, 200), other = steps(2, 300);
  const Comparison found = compare_recordings(*one, *other).value();
  EXPECT_FALSE(found.before || found.verdict || found.by_step);
  EXPECT_EQ(found.changes[0].kernel->name, "b");
  EXPECT_EQ(found.changes[0].change_ns(), 200);
}

TEST(Comparison, OfNothingIsEmpty) {
  const auto none = tiny_trace({});
  const Comparison found = compare_recordings(*none, *none).value();
  EXPECT_FALSE(found.before || found.ratio);
  EXPECT_TRUE(found.changes.empty());
  EXPECT_TRUE(lengths_by_repetition(*none).lengths_ns.empty());
}

/// A loop of markers, each range around two rounds of the same kernels, as a step with two micro-batches. `long_step_ns`: what every third step takes more.
TinyTrace marked(int count, int first, std::int64_t b_ns, std::int64_t long_step_ns = 0,
                 std::uint32_t process = 0) {
  TinyTrace out;
  std::int64_t at = 1000;
  for (int i = 0; i < count; ++i) {
    Marker range;
    range.start_ns = at - 20;
    range.text = "step " + std::to_string(first + i);
    range.process = process;
    for (int half = 0; half < 2; ++half) {
      const std::int64_t more = (first + i) % 3 == 0 ? long_step_ns : 0;
      for (const auto& [kernel, ns] : {std::pair<const char*, std::int64_t>{"a", 100},
                                       {"b", b_ns + more},
                                       {"c", 50 + i % 5}}) {
        out.ops.push_back({.kernel = kernel, .start_ns = at, .end_ns = at + ns});
        out.ops.back().process = process;
        at += ns;
      }
    }
    range.end_ns = at - 30;
    out.markers.push_back(range);
  }
  return out;
}

Comparison compared(const TinyTrace& before, const TinyTrace& after) {
  return compare_recordings(*before.build(), *after.build()).value();
}

TEST(Comparison, TakesStepsFromMarkersWhereKernelsRepeatWithinAStep) {
  TinyTrace before = marked(20, 0, 200), after = marked(20, 100, 260);
  const Comparison found = compared(before, after);
  EXPECT_EQ(found.by, StepsBy::markers);
  EXPECT_EQ(found.marker, "step #");
  EXPECT_EQ(found.before->steps, 19U);
  EXPECT_NEAR(static_cast<double>(found.before->median_ns), 704, 4) << "both micro-batches";
  EXPECT_EQ(found.verdict, StepVerdict::slower);
  EXPECT_EQ(found.paired, 0U) << "they have no number in common";
  EXPECT_NEAR(found.changes[0].before_calls, 2, 0.2);
  EXPECT_NEAR(found.changes[0].change_ns(), 120, 12);
  // Without them there are twice as many steps of half the length.
  before.markers.clear();
  after.markers.clear();
  const Comparison blind = compared(before, after);
  EXPECT_EQ(blind.by, StepsBy::repetition);
  EXPECT_EQ(blind.before->steps, 39U);
  EXPECT_NEAR(static_cast<double>(blind.before->median_ns), 352, 2);
}

TEST(Comparison, PairsStepsOfOneNumberSoThatUnevenOnesAddNoNoise) {
  // Two of three steps are short, and the second recording begins one step later.
  const Comparison found = compared(marked(31, 0, 200, 4000), marked(30, 1, 206, 4000));
  EXPECT_EQ(found.paired, 29U);
  EXPECT_EQ(found.verdict, StepVerdict::slower);
  EXPECT_GT(*found.low, 1);
  EXPECT_LT(*found.high, 1.03);
}

TEST(Comparison, TakesTheNameThatBothHaveAndThatCoversMost) {
  TinyTrace before = marked(20, 0, 200), after = marked(20, 0, 200);
  for (TinyTrace* one : {&before, &after}) {
    const std::vector<Marker> steps = one->markers;
    // Epochs are around steps, but come too seldom for a verdict; inner ranges cover less.
    for (std::size_t i = 0; i + 5 <= steps.size(); i += 5) {
      Marker epoch = steps[i];
      epoch.end_ns = steps[i + 4].end_ns;
      epoch.text = "epoch " + std::to_string(i / 5);
      one->markers.push_back(epoch);
    }
    for (const Marker& step : steps) {
      Marker inner = step;
      inner.start_ns += 10;
      inner.text = "forward";
      one->markers.push_back(inner);
    }
  }
  EXPECT_EQ(compared(before, after).marker, "step #");
}

TEST(Comparison, SaysWhyMarkersDoNotTellSteps) {
  TinyTrace before = marked(20, 0, 200), after = marked(20, 0, 200);
  for (Marker& one : after.markers) one.text = "iteration" + one.text.substr(4);
  const Comparison other_name = compared(before, after);
  EXPECT_EQ(other_name.by, StepsBy::repetition);
  EXPECT_NE(other_name.why_no_marker.find("no ranges of one name"), std::string::npos);
  after.markers.clear();
  EXPECT_NE(compared(before, after).why_no_marker.find("second recording has no markers"),
            std::string::npos);
  EXPECT_EQ(compared(before, marked(2, 0, 200)).by, StepsBy::nothing) << "too few steps";
}

TEST(Comparison, PutsTheStepsOfRanksTogether) {
  TinyTrace both = marked(20, 0, 200);
  const TinyTrace second = marked(20, 0, 240, 0, 1);
  both.ops.insert(both.ops.end(), second.ops.begin(), second.ops.end());
  both.markers.insert(both.markers.end(), second.markers.begin(), second.markers.end());
  const Comparison found = compared(both, both);
  EXPECT_EQ(found.by, StepsBy::markers);
  EXPECT_EQ(found.before->ranks, 2U);
  EXPECT_EQ(found.before->steps, 19U);
  EXPECT_NEAR(static_cast<double>(found.before->median_ns), 744, 4) << "the mean of both";
  EXPECT_EQ(found.verdict, StepVerdict::same);
  // Ranks with other steps are not put together.
  TinyTrace uneven = marked(20, 0, 200);
  const TinyTrace shorter = marked(12, 0, 240, 0, 1);
  uneven.ops.insert(uneven.ops.end(), shorter.ops.begin(), shorter.ops.end());
  uneven.markers.insert(uneven.markers.end(), shorter.markers.begin(), shorter.markers.end());
  const Comparison alone = compared(uneven, uneven);
  EXPECT_EQ(alone.before->ranks, 1U);
  EXPECT_EQ(alone.before->steps, 19U) << "those of the rank with most dispatches";
}

}  // namespace
}  // namespace rpl
