// SPDX-License-Identifier: MIT
#include "shell/core/terminal/terminal.h"

#include <gtest/gtest.h>

#include <limits>

namespace rpl {
namespace {

TEST(Bar, FillsInEighths) {
  const std::pair<double, const char*> cases[] = {
      {0, "    "}, {1, "████"}, {0.5, "██  "}, {0.53125, "██▏ "}, {0.0001, "▏   "}, {7, "████"},
  };
  for (const auto& [share, text] : cases) EXPECT_EQ(bar(share, 4, true), text) << share;
}

TEST(Bar, HasAPlainForm) {
  EXPECT_EQ(bar(0.5, 4, false), "##  ");
  EXPECT_EQ(bar(0.001, 4, false), "#   ");
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN(), 4, false), "    ");
}

TEST(Level, ShowsWhatIsAboveZero) {
  EXPECT_EQ(level(0, true), " ");
  EXPECT_EQ(level(1e-9, true), "▁");
  EXPECT_EQ(level(0.5, true), "▄");
  EXPECT_EQ(level(1, true), "█");
  EXPECT_EQ(level(1e-9, false), ".");
  EXPECT_EQ(level(0.75, false), "=");
  EXPECT_EQ(level(1, false), "#");
}

TEST(Fitted, CutsTheMiddleByCharacters) {
  EXPECT_EQ(fitted("abc", 5), "abc  ");
  EXPECT_EQ(fitted("attention_forward", 11), "attent..ard");
  EXPECT_EQ(fitted("μμμμμμμμ", 7), "μμμμ..μ");
  EXPECT_EQ(fitted("abcdef", 3), "abc");
}

}  // namespace
}  // namespace rpl
