// SPDX-License-Identifier: MIT
#include "tests/pty/fixture.h"

namespace rpl {
namespace {

namespace keys = testing_support::keys;
using testing_support::PromptTest;
using testing_support::Pty;

/// A kernel that counts for ever.
std::string endless(const std::string& options) {
  return std::string("kernel run ") + RPL_KERNELS +
         "/objects/concurrent.gfx942.co counts_on --grid 1 --workgroup 1 --arg u32:zero:1 " +
         options;
}

TEST_F(PromptTest, CtrlCStopsARunningKernelAndItCanBeLookedAt) {
  Pty pty = start({"-q", "-nx"}, 120, 60);
  pty.send(endless("--stop") + "\r");
  ASSERT_TRUE(pty.wait_for("(rpl o1 counts_on+0x0) "));
  pty.send("continue\r");
  ASSERT_TRUE(pty.wait_for("running the kernel"));
  pty.send(keys::kCtrlC);
  ASSERT_TRUE(pty.wait_for("Interrupted")) << pty.screen().text();
  EXPECT_TRUE(pty.wait_for("=> 0x"));
  ASSERT_TRUE(pty.wait_for("(rpl o1 counts_on+0x"));
  pty.send("stepi\r");
  EXPECT_TRUE(pty.wait_for("wave-instructions so far"));
  pty.send("info waves/q\r");
  EXPECT_TRUE(pty.wait_for("(rpl o1 counts_on+0x"));
  // It goes on, and stops again.
  pty.send("continue\r");
  ASSERT_TRUE(pty.wait_for("running the kernel"));
  pty.send(keys::kCtrlC);
  ASSERT_TRUE(pty.wait_for("Interrupted")) << pty.screen().text();
  pty.send("kill\r");
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  pty.send("quit\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(PromptTest, CtrlCStopsAKernelThatRunsUnderTheDebugger) {
  Pty pty = start({"-q", "-nx"}, 120, 60);
  pty.send(endless("--debug") + "\r");
  ASSERT_TRUE(pty.wait_for("running the kernel"));
  pty.send(keys::kCtrlC);
  ASSERT_TRUE(pty.wait_for("Interrupted")) << pty.screen().text();
  EXPECT_TRUE(pty.wait_for("(rpl o1 counts_on+0x"));
  pty.send("reverse-stepi 3\r");
  EXPECT_TRUE(pty.wait_for("(rpl o1 counts_on+0x"));
  pty.send("quit\r");
  EXPECT_TRUE(pty.wait_for("A kernel is stopped. Quit anyway?"));
  pty.send("n\r");
  EXPECT_TRUE(pty.wait_for("(rpl o1 counts_on+0x"));
  pty.send(keys::kCtrlD);
  EXPECT_TRUE(pty.wait_for("A kernel is stopped. Quit anyway?"));
  pty.send("y\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

}  // namespace
}  // namespace rpl
