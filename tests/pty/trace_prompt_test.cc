// SPDX-License-Identifier: MIT
#include "engine/process/run.h"
#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
namespace keys = testing_support::keys;
using testing_support::PromptTest;
using testing_support::Pty;
using testing_support::Screen;

/// The prompt with a small generated recording.
class TracePromptTest : public PromptTest {
 protected:
  void SetUp() override {
    Spawn spawn;
    spawn.argv = {RPL_GENERATE, folder / "trace.db", "--dispatches", "500"};
    ASSERT_TRUE(rpl::run(spawn)->ok());
  }
  static Pty& at_trace(Pty& pty) {
    EXPECT_TRUE(pty.wait_for("(rpl t1) "));
    return pty;
  }
  Pty open() {
    Pty::Start how;
    how.argv = {RPL_PROGRAM, "-q", "trace.db"};
    how.env = {"XDG_STATE_HOME=" + folder / "state", "XDG_CONFIG_HOME=" + folder / "config",
               "INPUTRC=/dev/null"};
    how.cwd = folder.path();
    Result<Pty> pty = Pty::start(how);
    EXPECT_TRUE(pty.has_value());
    EXPECT_TRUE(pty->wait_for("(rpl t1) "));
    return std::move(*pty);
  }
  /// Types something endless, stops it when it runs, and checks that the prompt is usable.
  static void expect_stops(Pty& pty, std::string_view line) {
    pty.send(std::string(line) + "\r");
    // readline switches bracketed paste off when it hands the line over: the command runs.
    const std::size_t before = pty.raw().size();
    ASSERT_TRUE(pty.wait_until(
        [&](const Screen&) { return pty.raw().find("\033[?2004l", before) != std::string::npos; }));
    pty.send(keys::kCtrlC);
    EXPECT_TRUE(pty.wait_for("Quit")) << line;
    EXPECT_TRUE(pty.wait_for("(rpl t1) "));
    pty.send("echo usable\r");
    EXPECT_TRUE(pty.wait_for("\nusable\n")) << line;
  }
};

TEST_F(TracePromptTest, CtrlCStopsLuaLoopsAndLongQueries) {
  Pty pty = open();
  for (const char* line :
       {"lua while true do end", "lua while true do pcall(function() while true do end end) end",
        "sql 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM "
        "n'",
        "repeat info trace/q --every 100"}) {
    SCOPED_TRACE(line);
    expect_stops(pty, line);
  }
}

TEST_F(TracePromptTest, UnfinishedLuaGoesOn) {
  Pty pty = open();
  pty.send("lua for i = 1, 2 do\r");
  ASSERT_TRUE(pty.wait_for("> "));
  pty.send("print('round ' .. i)\r");
  ASSERT_TRUE(pty.wait_for("> "));
  pty.send("end\r");
  EXPECT_TRUE(pty.wait_for("round 1\nround 2\n"));
}

TEST_F(TracePromptTest, TabCompletesKernelsByNameAndId) {
  Pty pty = open();
  pty.send("info kernel k\t\t");
  EXPECT_TRUE(pty.wait_until([](const Screen& screen) { return screen.lines().size() > 2; }));
  pty.send(
      "\x15"
      "info trace/q\r");
  EXPECT_TRUE(pty.wait_for("500"));
}

TEST_F(TracePromptTest, OpeningCreatesTheSession) {
  Pty pty = open();
  pty.send("session log\r");
  EXPECT_TRUE(pty.wait_for("opened"));
  EXPECT_TRUE(std::filesystem::exists(folder / ".rpl/session.db"));
}

/// A rocprofv3 kernel trace that takes longer to read than `open` waits.
void write_long_trace(const testing_support::TempDir& folder, int dispatches) {
  std::string text =
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n";
  for (int i = 0; i < dispatches; ++i) {
    text +=
        fmt::format("\"KERNEL_DISPATCH\",\"Agent 4\",1,\"gemm\",{},{}\n", 1000 * i, 1000 * i + 500);
  }
  folder.write("long_kernel_trace.csv", text);
}

TEST_F(TracePromptTest, TellsTheCountsAboveTheLineBeingTyped) {
  write_long_trace(folder, 300'000);
  Pty pty = start({"-q"});
  pty.send("open long_kernel_trace.csv\r");
  ASSERT_TRUE(pty.wait_for("t1: reading long_kernel_trace.csv"));
  ASSERT_TRUE(pty.wait_for("(rpl t1) "));
  pty.send("echo half a line");
  ASSERT_TRUE(pty.wait_for("t1: 300,000 dispatches"));
  ASSERT_TRUE(pty.wait_until([](const Screen& screen) {
    return screen.current_line() == "(rpl t1) echo half a line";
  })) << pty.screen().text();
  pty.send(" and the rest\r");
  EXPECT_TRUE(pty.wait_for("\nhalf a line and the rest\n"));
}

TEST_F(TracePromptTest, TellsWhenWhatIsReadInTheBackgroundFails) {
  write_long_trace(folder, 300'000);
  std::ofstream(folder / "long_kernel_trace.csv", std::ios::app)
      << "\"KERNEL_DISPATCH\",\"Agent 4\",1,\"gemm\",x,y\nmore\n";
  Pty pty = start({"-q"});
  pty.send("open long_kernel_trace.csv\r");
  ASSERT_TRUE(pty.wait_for("(rpl t1) "));
  EXPECT_TRUE(pty.wait_for("error: t1: "));
  EXPECT_TRUE(pty.wait_for("is not a 64-bit number"));
  EXPECT_TRUE(pty.wait_for("\n(rpl) ")) << "what could not be read is not the current trace\n"
                                        << pty.screen().text();
}

TEST_F(TracePromptTest, DisplaysFollowTheSelection) {
  Pty pty = open();
  pty.send("display 6 * 7\r");
  ASSERT_TRUE(pty.wait_for("42"));
  ASSERT_TRUE(pty.wait_for("(rpl t1) "));
  pty.send("select d2\r");
  EXPECT_TRUE(pty.wait_for("42"));
  EXPECT_TRUE(pty.wait_for("(rpl t1 d2) "));
}

}  // namespace
}  // namespace rpl
