// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/pty.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::Pty;
namespace keys = testing_support::keys;

TEST(SteppingAtThePrompt, SaysWhatComesNextAndRepeatsOnAnEmptyLine) {
  if (!std::filesystem::exists("/usr/lib/llvm-19/bin/clang")) {
    GTEST_SKIP() << "no clang-19: scripts/setup --kernels installs it";
  }
  const testing_support::TempDir folder;
  const std::string source = folder / "softmax.hip";
  std::filesystem::copy_file(std::string(RPL_EXAMPLES) + "/hip/softmax.hip", source);
  auto started = Pty::start({.argv = {RPL_PROGRAM, "-q", "-nx", "--session", folder / "kept"},
                             .env = {"XDG_STATE_HOME=" + folder.path()},
                             .columns = 120});
  ASSERT_TRUE(started.has_value());
  Pty& terminal = *started;
  ASSERT_TRUE(terminal.wait_for("(rpl) "));
  terminal.send("step --source " + source + " --capture " + RPL_EXAMPLES + "/captures/softmax\r");
  ASSERT_TRUE(terminal.wait_for("(rpl o1:select) "));
  terminal.send(keys::kEnter);
  // The repeated line still names source and capture: it must go on, not start over.
  ASSERT_TRUE(terminal.wait_for("(rpl o1:propose) "));
  terminal.send(keys::kEnter);
  ASSERT_TRUE(terminal.wait_for("(rpl p1:guard) "));
  terminal.send("step\r");
  ASSERT_TRUE(terminal.wait_for("(rpl p1:build) "));

  // Ctrl-C stops the loop and keeps what was decided.
  terminal.send("continue\r");
  // readline switches bracketed paste off when it hands the line over: the command runs.
  const std::size_t before = terminal.raw().size();
  ASSERT_TRUE(terminal.wait_until([&](const testing_support::Screen&) {
    return terminal.raw().find("\033[?2004l", before) != std::string::npos;
  }));
  terminal.send(keys::kCtrlC);
  ASSERT_TRUE(terminal.wait_for("Quit")) << terminal.raw().substr(before);
  ASSERT_TRUE(terminal.wait_for("(rpl p"));
  terminal.send("info proposals/q\r");
  ASSERT_TRUE(terminal.wait_for("(rpl p"));
  terminal.send("quit\r");
  EXPECT_EQ(terminal.wait_for_exit(), 0);
}

}  // namespace
}  // namespace rpl
