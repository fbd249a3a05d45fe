// SPDX-License-Identifier: MIT
// The tutorial as a newcomer types it.
#include <filesystem>

#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using testing_support::PromptTest;
using testing_support::Pty;

TEST_F(PromptTest, TutorialLooksAtWhatIsTypedAndGoesOnWhereItWasLeft) {
  if (!std::filesystem::exists("/usr/lib/llvm-19/bin/clang"))
    GTEST_SKIP() << "no clang-19: scripts/setup --full installs it";
  {
    Pty pty = start({"-q"});
    pty.send("tutorial\r");
    ASSERT_TRUE(pty.wait_for("[1 of 15] a program")) << pty.screen().text();
    pty.send("echo in between\r");
    ASSERT_TRUE(pty.wait_for("\nin between\n"));
    pty.send("build rpl-tutorial/nothing.hip -o rpl-tutorial/norms\r");
    ASSERT_TRUE(pty.wait_for("Not yet: that did not end well.")) << pty.screen().text();
    pty.send("build/q rpl-tutorial/norms.hip -o elsewhere\r");
    ASSERT_TRUE(pty.wait_for("Not yet: there is no rpl-tutorial/norms yet."))
        << pty.screen().text();
    pty.send("build/q rpl-tutorial/norms.hip -o rpl-tutorial/norms\r");
    ASSERT_TRUE(pty.wait_for("[2 of 15] capture: record a run")) << pty.screen().text();
    pty.send("tutorial do\r");
    ASSERT_TRUE(pty.wait_for("[3 of 15] analyze")) << pty.screen().text();
    pty.send("quit\r");
    EXPECT_EQ(pty.wait_for_exit(), 0);
  }
  Pty pty = start({"-q"});
  pty.send("tutorial\r");
  ASSERT_TRUE(pty.wait_for("[3 of 15] analyze")) << pty.screen().text();
  // The recording of the earlier program is open again.
  pty.send("critpath/q\r");
  ASSERT_TRUE(pty.wait_for("[4 of 15] analyze")) << pty.screen().text();
  pty.send("tutorial leave\r");
  ASSERT_TRUE(pty.wait_for("no longer looks on"));
  pty.send("tutorial back\r");
  ASSERT_TRUE(pty.wait_for("[3 of 15] analyze")) << pty.screen().text();
  pty.send("tutorial back\r");
  ASSERT_TRUE(pty.wait_for("[2 of 15] capture")) << pty.screen().text();
  EXPECT_FALSE(std::filesystem::exists("rpl-tutorial/profile"));
}

}  // namespace
}  // namespace rpl
