// SPDX-License-Identifier: MIT
// Two recordings: whether their steps differ, and by which kernels.
#include <gtest/gtest.h>

#include "engine/graph/comparison.h"
#include "engine/graph/rounds.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using testing::tiny_trace;
using testing::TinyOp;

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
  const Comparison found = compare_recordings(*before, *after);
  ASSERT_TRUE(found.before && found.after && found.ratio);
  EXPECT_EQ(found.before->steps, 19U);
  EXPECT_EQ(found.after->steps, 29U);
  EXPECT_NEAR(*found.ratio, 415.0 / 355, 0.01);
  EXPECT_LE(*found.low, *found.ratio);
  EXPECT_GE(*found.high, *found.ratio);
  EXPECT_EQ(found.verdict, StepVerdict::slower);
  EXPECT_EQ(compare_recordings(*after, *before).verdict, StepVerdict::faster);
  ASSERT_TRUE(found.by_step);
  EXPECT_EQ(found.changes[0].kernel->name, "b");
  EXPECT_NEAR(found.changes[0].change_ns(), 60, 2);
}

TEST(Comparison, OfTheSameIsTheSame) {
  const auto one = steps(40, 200, 2), other = steps(40, 200, 2);
  EXPECT_EQ(compare_recordings(*one, *other).verdict, StepVerdict::same);
}

TEST(Comparison, IsUnclearWhereStepsDifferMoreThanTheRecordings) {
  const auto one = steps(12, 200, 400), other = steps(12, 206, 400);
  EXPECT_EQ(compare_recordings(*one, *other).verdict, StepVerdict::unclear);
}

TEST(Comparison, WithoutStepsIsOfTheWholeRecording) {
  const auto one = steps(2, 200), other = steps(2, 300);
  const Comparison found = compare_recordings(*one, *other);
  EXPECT_FALSE(found.before || found.verdict || found.by_step);
  EXPECT_EQ(found.changes[0].kernel->name, "b");
  EXPECT_EQ(found.changes[0].change_ns(), 200);
}

TEST(Comparison, OfNothingIsEmpty) {
  const auto none = tiny_trace({});
  const Comparison found = compare_recordings(*none, *none);
  EXPECT_FALSE(found.before || found.ratio);
  EXPECT_TRUE(found.changes.empty());
  EXPECT_TRUE(round_lengths_ns(*none).empty());
}

}  // namespace
}  // namespace rpl
