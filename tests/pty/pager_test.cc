// SPDX-License-Identifier: MIT
#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::PromptTest;
using testing_support::Pty;

TEST_F(PromptTest, PagesWhatIsLongerThanTheScreen) {
  environment = {"RPL_PAGER=sed s/^/paged:/"};
  Pty pty = start();
  type(pty, "apropos e");
  EXPECT_TRUE(shows(pty, "paged:kind"));
  type(pty, "show version");
  EXPECT_FALSE(shows(pty, "paged:rpl"));
  type(pty, "set pager off");
  type(pty, "apropos e");
  EXPECT_TRUE(shows(pty, "\nkind"));
}

TEST_F(PromptTest, APagerThatIsQuitEarlyIsANormalEnd) {
  environment = {"RPL_PAGER=head -n 2"};
  Pty pty = start();
  type(pty, "apropos e");
  type(pty, "echo usable");
  EXPECT_THAT(pty.screen().plain(), HasSubstr("\nusable\n"));
  EXPECT_FALSE(shows(pty, "error"));
}

TEST_F(PromptTest, AMissingPagerLeavesTheTextOnTheScreen) {
  environment = {"RPL_PAGER=no-such-pager-at-all"};
  Pty pty = start();
  type(pty, "apropos e");
  EXPECT_TRUE(shows(pty, "\nkind"));
}

TEST_F(PromptTest, LessShowsPagesAndEndsWithQ) {
  Pty pty = start();
  pty.send("apropos e\r");
  if (!pty.wait_for(":")) GTEST_SKIP() << "less is not installed";
  pty.send("q");
  EXPECT_TRUE(pty.wait_for("(rpl) "));
}

TEST_F(PromptTest, PipesToHostCommands) {
  Pty pty = start();
  type(pty, "apropos history | grep size");
  EXPECT_TRUE(shows(pty, "history size"));
  type(pty, "apropos e | head -n 1");
  EXPECT_FALSE(shows(pty, "error"));
}

}  // namespace
}  // namespace rpl
