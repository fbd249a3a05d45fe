// SPDX-License-Identifier: MIT
// The full-screen mode on terminals of 80 x 24 and 140 x 50.
#include <algorithm>
#include <filesystem>

#include "tests/pty/fixture.h"

namespace rpl {
namespace {

namespace keys = testing_support::keys;
using testing_support::PromptTest;
using testing_support::Pty;
using testing_support::Screen;

constexpr std::string_view kF3 = "\033OR", kF8 = "\033[19~", kCtrlX = "\x18";

class FullScreenTest : public PromptTest {
 protected:
  /// With a small recording open.
  Pty open(int columns, int rows) {
    const std::string made = std::string(RPL_GENERATE) + " " + (folder / "small.db") +
                             " --dispatches 200 --queues 2 --seed 1 >/dev/null";
    EXPECT_EQ(std::system(made.c_str()), 0);
    Pty pty = start({"-q", "-nx", "--tui", "small.db"}, columns, rows, "kernels");
    EXPECT_TRUE(shows_now(pty, "> k")) << pty.screen().text();
    return pty;
  }
  static bool shows_now(Pty& pty, std::string_view text) {
    return pty.wait_until(
        [&](const Screen& screen) { return screen.text().find(text) != std::string::npos; });
  }
  static bool first_line_is(Pty& pty, std::string_view text) {
    return pty.wait_until(
        [&](const Screen& screen) { return screen.lines()[0].find(text) != std::string::npos; });
  }
  static std::string chosen(const Pty& pty) {
    for (const std::string& line : pty.screen().lines()) {
      if (line.starts_with("> k")) return line.substr(2, 7);
    }
    return {};
  }
};

TEST_F(FullScreenTest, KernelsAreChosenAndShownInDetail) {
  for (const auto& [columns, rows] : {std::pair{80, 24}, {140, 50}}) {
    Pty pty = open(columns, rows);
    const std::string first = chosen(pty);
    pty.send(keys::kDown);
    ASSERT_TRUE(pty.wait_until([&](const Screen&) {
      return !chosen(pty).empty() && chosen(pty) != first;
    })) << pty.screen().text();
    EXPECT_TRUE(shows_now(pty, "Enter info kernel " + chosen(pty))) << pty.screen().text();
    pty.send(keys::kEnter);
    EXPECT_TRUE(shows_now(pty, "── info kernel " + chosen(pty))) << pty.screen().text();
    // Each key shows its line; the command line is at the foot.
    EXPECT_TRUE(pty.screen().lines()[static_cast<std::size_t>(rows) - 1].starts_with("(rpl t1)"))
        << pty.screen().text();
    pty.send("\x04");
    EXPECT_EQ(pty.wait_for_exit(), 0);
  }
}

TEST_F(FullScreenTest, ALineIsTypedAndItsAnswerShown) {
  Pty pty = open(80, 24);
  pty.send("print 40 + 2");
  EXPECT_TRUE(shows_now(pty, "(rpl t1) print 40 + 2"));
  pty.send(keys::kEnter);
  EXPECT_TRUE(shows_now(pty, "── print 40 + 2")) << pty.screen().text();
  EXPECT_TRUE(shows_now(pty, "42")) << pty.screen().text();
  // What a program prints is kept from the screen and shown as text.
  pty.send("shell echo from a program\r");
  EXPECT_TRUE(shows_now(pty, "\nfrom a program")) << pty.screen().text();
  pty.send("nonsense\r");
  EXPECT_TRUE(shows_now(pty, "error: unknown command")) << pty.screen().text();
  pty.send("summ\t");
  EXPECT_TRUE(shows_now(pty, "(rpl t1) summary")) << pty.screen().text();
  pty.send("\x15quit\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, AnAnswerIsReadFromItsBeginningAndBrokenBetweenWords) {
  Pty pty = open(80, 24);
  pty.send("help x\r");
  EXPECT_TRUE(shows_now(pty, "── help x\nx: Show memory")) << pty.screen().text();
  pty.send("\033[6~");  // PgDn
  EXPECT_TRUE(pty.wait_until([](const Screen& screen) {
    return screen.text().find("x: Show memory") == std::string::npos;
  })) << pty.screen().text();
  pty.send("compare before.db after.db\r");
  EXPECT_TRUE(shows_now(pty,
                        "error: before.db: no such file, and no open trace is called so; "
                        "open: t1\n  (small.db)"))
      << pty.screen().text();
  pty.send("\x15quit\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, TheTimelineZoomsAndPans) {
  Pty pty = open(80, 24);
  pty.send(kF3);
  ASSERT_TRUE(first_line_is(pty, "timeline")) << pty.screen().text();
  ASSERT_TRUE(shows_now(pty, "one cell is"));
  const std::string whole = pty.screen().lines()[1];
  pty.send("+");
  ASSERT_TRUE(pty.wait_until([&](const Screen& screen) { return screen.lines()[1] != whole; }));
  const std::string half = pty.screen().lines()[1];
  pty.send(keys::kRight);
  ASSERT_TRUE(pty.wait_until([&](const Screen& screen) { return screen.lines()[1] != half; }));
  EXPECT_TRUE(shows_now(pty, "timeline --from ")) << pty.screen().text();
  EXPECT_TRUE(shows_now(pty, "── info kernels --from ")) << "what ran then, where there is room";
  pty.send("\x04");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, FollowsTheWindow) {
  Pty pty = open(140, 50);
  pty.resize(80, 24);
  EXPECT_TRUE(pty.wait_until([](const Screen& screen) {
    return screen.lines().size() >= 24 && screen.lines()[23].starts_with("(rpl t1)");
  })) << pty.screen().text();
  pty.send("\x04");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, IsOfAsciiWhereTheTerminalTakesNothingElse) {
  // As a login over ssh that gave no locale.
  environment = {"LC_ALL=C", "LANG", "LC_CTYPE"};
  Pty pty = open(80, 24);
  EXPECT_TRUE(first_line_is(pty, "kernels | kernels, the longest total first"))
      << pty.screen().text();
  pty.send(keys::kEnter);
  EXPECT_TRUE(shows_now(pty, "-- info kernel k")) << pty.screen().text();
  for (const unsigned char c : pty.screen().text()) ASSERT_LT(c, 0x80U) << pty.screen().text();
  pty.send("\x04");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, AnotherViewIsShownWhileAKernelIsStopped) {
  Pty pty = start({"-q", "-nx"}, 140, 50);
  type(pty, "set pager off");
  pty.send(std::string("kernel run ") + RPL_EXAMPLES +
           "/hip/objects/normalize.gfx942.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg "
           "f32:zero:1200 --arg i32:200 --arg i32:6 --stop\r");
  ASSERT_TRUE(pty.wait_for("normalize+0x0) "));
  pty.send("layout src\r");
  // Where it was called from, as the header of the system that it stands in is none of the kernel; as many lines as there is room for.
  ASSERT_TRUE(shows_now(pty, "=> 14 ")) << pty.screen().text();
  EXPECT_TRUE(shows_now(pty, "\n   1   ")) << pty.screen().text();
  // The waves have the whole width.
  EXPECT_TRUE(shows_now(pty, "active_lanes")) << pty.screen().text();
  pty.send("layout loop\r");
  EXPECT_TRUE(first_line_is(pty, "loop")) << pty.screen().text();
  pty.send("quit\r");
  pty.send("y\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, TheLoopFollowsAnOptimizationWhileItRuns) {
  if (!std::filesystem::exists("/usr/lib/llvm-19/bin/clang"))
    GTEST_SKIP() << "no clang-19: scripts/setup --full installs it";
  const std::string rpl = "cd " + folder.path() + " && " RPL_PROGRAM " -nx ";
  ASSERT_EQ(std::system(("cp " RPL_EXAMPLES "/tutorial/norms.hip " + folder.path() + " && " + rpl +
                         "build norms.hip -o norms >/dev/null && " + rpl +
                         "capture run row_norms -o frozen --quiet -- ./norms >/dev/null")
                            .c_str()),
            0);
  Pty pty = start({"-q", "-nx", "--tui"}, 80, 24, "kernels");
  pty.send("layout loop\r");
  ASSERT_TRUE(first_line_is(pty, "loop")) << pty.screen().text();
  pty.send("optimize norms.hip --capture frozen\r");
  // The list above and the notes below go along; the foot still says that something runs.
  EXPECT_TRUE(pty.wait_until([](const Screen& screen) {
    const std::string text = screen.text();
    return text.find("p1   rule") != std::string::npos &&
           text.find("accepted") != std::string::npos &&
           text.find("note: guard p2 ") != std::string::npos &&
           text.find("Ctrl-C stops") != std::string::npos;
  })) << pty.screen().text();
  pty.send("\x03");
  EXPECT_TRUE(pty.wait_until([](const Screen& screen) {
    return screen.lines().back().starts_with("(rpl p");
  })) << pty.screen().text();
  // What was told last is what is seen.
  EXPECT_EQ(pty.screen().text().find("note: profile o1"), std::string::npos) << pty.screen().text();
  pty.send("\x04");
  EXPECT_TRUE(pty.wait_for_exit().has_value());
}

TEST_F(FullScreenTest, GoesToThePromptAndBack) {
  Pty pty = open(80, 24);
  pty.send(std::string(kCtrlX) + "a");
  ASSERT_TRUE(pty.wait_for("(rpl t1) "));
  pty.send("print 6 * 7\r");
  EXPECT_TRUE(pty.wait_for("$1 = 42"));
  ASSERT_TRUE(pty.wait_for("(rpl t1) "));
  pty.send(std::string(kCtrlX) + "a");
  ASSERT_TRUE(first_line_is(pty, "kernels")) << pty.screen().text();
  pty.send("tui disable\r");
  ASSERT_TRUE(pty.wait_for("(rpl t1) "));
  pty.send("layout timeline\r");
  ASSERT_TRUE(first_line_is(pty, "timeline")) << pty.screen().text();
  pty.send("quit\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(FullScreenTest, AStoppedKernelShowsItsSourceCodeAndRegisters) {
  Pty pty = start({"-q", "-nx", "--tui"}, 140, 50, "kernels");
  pty.send("break normalize if workgroup == 1 and lane == 3\r");
  ASSERT_TRUE(shows_now(pty, "Breakpoint 1")) << pty.screen().text();
  pty.send(std::string("kernel run ") + RPL_EXAMPLES +
           "/hip/objects/normalize.gfx942.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg "
           "f32:zero:1200 --arg i32:200 --arg i32:6\r");
  ASSERT_TRUE(first_line_is(pty, "src")) << pty.screen().text();
  ASSERT_TRUE(shows_now(pty, "F8 stepi"));
  pty.send("layout regs\r");
  ASSERT_TRUE(first_line_is(pty, "regs")) << pty.screen().text();
  ASSERT_TRUE(shows_now(pty, "── info registers"));
  ASSERT_TRUE(shows_now(pty, "normalize+0x"));
  pty.send("\033");
  EXPECT_TRUE(shows_now(pty, "v_rcp_f32")) << "as many instructions as there is room for";
  EXPECT_TRUE(shows_now(pty, "  wave 0 of workgroup 1, lane 3")) << "panes stand apart";
  const std::string before = pty.screen().lines()[49];
  pty.send(kF8);
  EXPECT_TRUE(pty.wait_until([&](const Screen& screen) {
    const std::string foot = screen.lines().back();
    return foot.starts_with("(rpl o1 normalize+0x") && foot != before;
  })) << pty.screen().text();
  pty.send("kill\r");
  EXPECT_TRUE(first_line_is(pty, "kernels")) << pty.screen().text();
  pty.send("quit\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

}  // namespace
}  // namespace rpl
