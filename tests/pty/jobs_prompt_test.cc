// SPDX-License-Identifier: MIT
// Lines in the background, as a person sees them at the prompt.
#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using testing_support::PromptTest;
using testing_support::Pty;
using testing_support::Screen;
namespace keys = testing_support::keys;

TEST_F(PromptTest, TellsAboveTheLineBeingTypedThatAJobHasEnded) {
  Pty pty = start({"-q"});
  pty.send("profile --no-rocprof --quiet -- sleep 0.5 &\r");
  ASSERT_TRUE(pty.wait_for("j1 runs in the background")) << pty.screen().text();
  pty.send("echo half a line");
  ASSERT_TRUE(pty.wait_for("j1 done after")) << pty.screen().text();
  ASSERT_TRUE(pty.wait_until([](const Screen& screen) {
    return screen.current_line() == "(rpl) echo half a line";
  })) << pty.screen().text();
  pty.send("\r");
  ASSERT_TRUE(pty.wait_for("\nhalf a line\n"));
  pty.send("job show\r");
  EXPECT_TRUE(pty.wait_for("ran sleep 0.5")) << pty.screen().text();
}

TEST_F(PromptTest, CtrlCLeavesJobsAloneAndEndsTheWaitForThem) {
  Pty pty = start({"-q"});
  pty.send("profile --no-rocprof -- sleep 100 &\r");
  ASSERT_TRUE(pty.wait_for("j1 runs in the background"));
  pty.send("job wait\r");
  ASSERT_TRUE(pty.wait_for("waiting for j1")) << pty.screen().text();
  pty.send(keys::kCtrlC);
  ASSERT_TRUE(pty.wait_for("Quit"));
  pty.send("info jobs /q\r");
  ASSERT_TRUE(pty.wait_for("\nj1\n")) << pty.screen().text();
  pty.send("job stop/q\r");
  EXPECT_TRUE(pty.wait_for("stopped")) << pty.screen().text();
}

TEST_F(PromptTest, AsksBeforeItStopsJobsAtItsEnd) {
  Pty pty = start({"-q"});
  pty.send("profile --no-rocprof -- sleep 100 &\r");
  ASSERT_TRUE(pty.wait_for("j1 runs in the background"));
  // Only at the prompt it is the end; before, the terminal takes the key for itself.
  ASSERT_TRUE(pty.wait_for("(rpl) "));
  pty.send(keys::kCtrlD);
  ASSERT_TRUE(pty.wait_for("a job still runs; stop it and leave? [y/N]")) << pty.screen().text();
  pty.send("n\r");
  ASSERT_TRUE(pty.wait_for("(rpl) "));
  pty.send("quit\r");
  ASSERT_TRUE(pty.wait_until([](const Screen& screen) {
    return screen.current_line().starts_with("a job still runs");
  })) << pty.screen().text();
  pty.send("y\r");
  EXPECT_TRUE(pty.wait_for("note: j1 still ran and was stopped")) << pty.screen().text();
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

}  // namespace
}  // namespace rpl
