// SPDX-License-Identifier: MIT
// Diffs are applied strictly: what unified_diff writes, and nothing that does not fit to the letter.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/optimize/rules/diff.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kText = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";

TEST(ApplyDiff, GivesBackWhatADiffWasMadeOf) {
  for (const std::string& after :
       {std::string("a\nb\nX\nd\ne\nf\ng\nh\ni\nj\n"),
        std::string("b\nc\nd\ne\nf\ng\nh\ni\nj\nk\n"), std::string("a\nb\nc\nd\ne\nf\ng\nh\ni\nj"),
        std::string("0\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"), std::string("x"), std::string()}) {
    const auto applied = apply_unified_diff(kText, unified_diff(kText, after, "a/k", "b/k"));
    ASSERT_TRUE(applied.has_value()) << applied.error().message;
    EXPECT_EQ(*applied, after);
  }
  EXPECT_EQ(apply_unified_diff("x", unified_diff("x", "x\n", "a", "b")).value(), "x\n");
  EXPECT_EQ(apply_unified_diff("", unified_diff("", "x\n", "a", "b")).value(), "x\n");
}

std::string diff_refusal(std::string_view diff) {
  const auto applied = apply_unified_diff(kText, diff);
  return applied ? "applied: " + *applied : applied.error().message;
}

TEST(ApplyDiff, RefusesWhatDoesNotFitToTheLetter) {
  EXPECT_THAT(diff_refusal("hello\n"), HasSubstr("no hunk"));
  EXPECT_THAT(diff_refusal("@@ -2,1 +2,1 @@\n-x\n+y\n"),
              HasSubstr("line 2: line 2 of the source is another one"));
  EXPECT_THAT(diff_refusal("@@ -3,1 +3,1 @@\n-b\n+y\n"), HasSubstr("line 3 of the source"))
      << "no search for another place";
  EXPECT_THAT(diff_refusal("@@ -2,2 +2,1 @@\n-b\n"), HasSubstr("ends early"));
  EXPECT_THAT(diff_refusal("@@ -2,1 +2,1 @@\n-b\n-c\n+y\n"), HasSubstr("more lines than its head"));
  EXPECT_THAT(diff_refusal("@@ -5,1 +5,1 @@\n-e\n+x\n@@ -2,1 +2,1 @@\n-b\n+y\n"),
              HasSubstr("behind a later one"));
  EXPECT_THAT(diff_refusal("@@ -99,1 +99,1 @@\n-b\n+y\n"), HasSubstr("outside the source"));
  EXPECT_THAT(diff_refusal("@@ -0,1 +1,1 @@\n-a\n+y\n"), HasSubstr("outside the source"));
  EXPECT_THAT(diff_refusal("@@ what @@\n"), HasSubstr("cannot be read"));
  EXPECT_THAT(diff_refusal("@@ -1,1 +1,1 @@\n-a\n+y\n--- other\n+++ other\n"),
              HasSubstr("one file"));
  EXPECT_THAT(diff_refusal("@@ -1,1 +1,1 @@\n*a\n"), HasSubstr("begins with"));
}

TEST(ApplyDiff, KeepsLinesApart) {
  // A line without an end in the middle of the result would swallow the next one.
  const auto merged =
      apply_unified_diff("a\nb\n", "@@ -1,1 +1,1 @@\n-a\n+x\n\\ No newline at end of file\n");
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error().message,
              ::testing::HasSubstr("only the last line of the result may have no end"));
  EXPECT_FALSE(apply_unified_diff("a\nb\n", "@@ -1,1 +1,1 @@\n-a\n+x").has_value());
  EXPECT_EQ(apply_unified_diff("a\nb\n", "@@ -2,1 +2,1 @@\n-b\n+x\n\\ No newline at end of file\n")
                .value_or(""),
            "a\nx");
}

}  // namespace
}  // namespace rpl
