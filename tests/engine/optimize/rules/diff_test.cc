// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/diff.h"

#include <gtest/gtest.h>

#include <charconv>

#include "tests/support/random.h"

namespace rpl {
namespace {

std::string diff(std::string_view before, std::string_view after) {
  return unified_diff(before, after, "a", "b");
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return result;
}

/// Applies a diff as `patch` does, strictly; "" when it does not fit.
std::string applied(std::string_view before, std::string_view patch) {
  const auto old_lines = split(before);
  const auto lines = split(patch);
  std::string result;
  std::size_t at = 0;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("@@")) {
      std::size_t start = 0;
      std::from_chars(line.data() + 4, line.data() + line.size(), start);
      const bool empty = line.substr(0, line.find('+')).find(",0 ") != std::string::npos;
      const std::size_t begin = empty ? start : start - 1;
      while (at < begin) result += old_lines.at(at++);
      continue;
    }
    if (line.starts_with("\\")) continue;
    std::string text = line.substr(1);
    if (i + 1 < lines.size() && lines[i + 1].starts_with("\\")) text.pop_back();
    if (line[0] != '+' && (at >= old_lines.size() || old_lines[at++] != text)) return {};
    if (line[0] != '-') result += text;
  }
  while (at < old_lines.size()) result += old_lines[at++];
  return result;
}

TEST(UnifiedDiff, OfEqualTextsIsEmpty) {
  EXPECT_EQ(diff("a\n", "a\n"), "");
  EXPECT_EQ(diff("", ""), "");
}

TEST(UnifiedDiff, ShowsThreeLinesAround) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, InsertsIntoAnEmptyTextAndEmptiesIt) {
  EXPECT_EQ(diff("", "x\ny\n"), "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n");
  EXPECT_EQ(diff("x\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
}

TEST(UnifiedDiff, SaysThatTheLastLineHasNoEnd) {
  EXPECT_EQ(diff("x", "x\n"), "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
}

TEST(UnifiedDiff, MakesOneHunkOfChangesThatLieClose) {
  std::string before, after;
  for (int i = 0; i < 40; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 12 || i == 30 ? "new\n" : std::to_string(i) + "\n");
  }
  const std::string text = diff(before, after);
  EXPECT_NE(text.find("@@ -3,14 +3,14 @@"), std::string::npos) << text;
  EXPECT_NE(text.find("@@ -28,7 +28,7 @@"), std::string::npos) << text;
}

TEST(UnifiedDiff, GivesBackTheNewText) {
  test::Random random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string before, after;
    const auto lines = random.below(30);
    const auto kinds = 1 + random.below(6);
    for (std::uint64_t i = 0; i < lines; ++i) {
      const std::string line = std::to_string(random.below(kinds)) + "\n";
      if (random.below(4) != 0) before += line;
      if (random.below(4) != 0) after += line;
      if (random.below(8) == 0) after += "new\n";
    }
    if (random.below(5) == 0) before += "tail";
    if (random.below(5) == 0) after += "tail";
    if (before == after || after.empty()) continue;
    ASSERT_EQ(applied(before, diff(before, after)), after) << diff(before, after);
  }
}

TEST(UnifiedDiff, FindsTheShortestScript) {
  // The example of Myers' paper: ABCABBA to CBABAC takes five steps.
  const std::string text = diff("A\nB\nC\nA\nB\nB\nA\n", "C\nB\nA\nB\nA\nC\n");
  std::size_t steps = 0;
  for (const std::string& line : split(text)) {
    if ((line[0] == '-' || line[0] == '+') && !line.starts_with("---") && !line.starts_with("+++"))
      ++steps;
  }
  EXPECT_EQ(steps, 5U) << text;
}

TEST(DiffLines, HaveWhatIsInBothOnceAndWhatWasRemovedInFrontOfWhatTookItsPlace) {
  const std::vector<std::string> before{"a", "b", "c"}, after{"a", "B", "c", "d"};
  std::string seen;
  for (const DiffLine& one : diff_lines(before, after)) {
    if (!one.after)
      seen += "-" + before[*one.before];
    else
      seen += (one.before ? "=" : "+") + after[*one.after];
  }
  EXPECT_EQ(seen, "=a-b+B=c+d");
  EXPECT_TRUE(diff_lines({}, {}).empty());
  EXPECT_EQ(diff_lines({}, after).size(), 4U);
}

TEST(UnifiedDiff, TakesLongTextsThatHaveNothingInCommon) {
  std::string before, after;
  for (int i = 0; i < 20000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(applied(before, diff(before, after)), after);
}

}  // namespace
}  // namespace rpl
