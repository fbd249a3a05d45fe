// SPDX-License-Identifier: MIT
// Programs that hear no signal hold nobody: what they are started by, and how the person or who started rpl stops them.
#include <signal.h>

#include <fstream>
#include <thread>

#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using testing_support::PromptTest;
using testing_support::Pty;
using testing_support::Screen;
namespace keys = testing_support::keys;

/// Says that it runs, reads nothing and hears nothing.
constexpr std::string_view kDeaf =
    R"(trap "" INT TERM; echo no "ears"; while :; do sleep 1000; done)";

class StoppingTest : public PromptTest {
 protected:
  /// Waits until the line, which ends in a deaf program, has started it.
  void wait_for_it(Pty& pty) { ASSERT_TRUE(pty.wait_for("no ears")) << pty.screen().text(); }
  /// Two that come too close are one signal: the first has to have been taken.
  static void press_twice(Pty& pty) {
    pty.send(keys::kCtrlC);
    ASSERT_TRUE(pty.wait_for("^C"));
    while (has_to_take_a_key(pty.pid())) std::this_thread::yield();
    pty.send(keys::kCtrlC);
  }
  static void expect_a_prompt(Pty& pty) {
    ASSERT_TRUE(pty.wait_for("Quit")) << pty.screen().text();
    ASSERT_TRUE(pty.wait_for("(rpl) "));
    type(pty, "echo usable");
    EXPECT_TRUE(shows(pty, "\nusable\n"));
  }
  Pty batch(const std::string& line) { return start({"-nx", "-batch", "-ex", line}, 80, 24, ""); }
  static bool has_to_take_a_key(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);) {
      constexpr std::string_view kPending = "ShdPnd:";
      if (!line.starts_with(kPending)) continue;
      return (std::stoull(line.substr(kPending.size()), nullptr, 16) & (1U << (SIGINT - 1))) != 0;
    }
    return false;
  }

  std::string deaf = "sh -c '" + std::string(kDeaf) + "'";
};

TEST_F(StoppingTest, ASecondCtrlCEndsAProgramOfTheHost) {
  Pty pty = start();
  pty.send("!" + deaf + "\r");
  wait_for_it(pty);
  press_twice(pty);
  expect_a_prompt(pty);
}

TEST_F(StoppingTest, ASecondCtrlCEndsTheReaderOfAPipe) {
  Pty pty = start();
  pty.send("apropos e | " + deaf + "\r");
  wait_for_it(pty);
  press_twice(pty);
  expect_a_prompt(pty);
}

TEST_F(StoppingTest, ASecondCtrlCEndsThePager) {
  environment = {"RPL_PAGER=" + std::string(kDeaf)};
  Pty pty = start();
  pty.send("apropos e\r");
  wait_for_it(pty);
  press_twice(pty);
  expect_a_prompt(pty);
}

TEST_F(StoppingTest, ASecondCtrlCEndsWhatLuaStarted) {
  Pty pty = start();
  folder.write("deaf.sh", kDeaf);
  pty.send("lua while true do pcall(rpl.exec, '!sh deaf.sh') end\r");
  wait_for_it(pty);
  press_twice(pty);
  expect_a_prompt(pty);
}

TEST_F(StoppingTest, OneCtrlCIsTheProgramsOwn) {
  Pty pty = start();
  pty.send(R"(!sh -c 'trap "echo heard it" INT; echo no "ears"; read line; echo $line')"
           "\r");
  wait_for_it(pty);
  pty.send(keys::kCtrlC);
  ASSERT_TRUE(pty.wait_for("heard it"));
  pty.send("typed\r");
  EXPECT_TRUE(pty.wait_for("(rpl) ")) << pty.screen().text();
  EXPECT_FALSE(shows(pty, "Quit"));
}

TEST_F(StoppingTest, TheTerminalIsWhatItWasBefore) {
  Pty pty = start();
  pty.send("!stty -icanon; " + deaf + "\r");
  wait_for_it(pty);
  press_twice(pty);
  ASSERT_TRUE(pty.wait_for("(rpl) "));
  pty.send("!stty -a\r");
  ASSERT_TRUE(pty.wait_for("(rpl) "));
  EXPECT_TRUE(shows(pty, "isig icanon iexten")) << pty.screen().text();
}

TEST_F(StoppingTest, ATerminatedPromptEndsWithIt) {
  Pty pty = start();
  pty.send("apropos e | " + deaf + "\r");
  wait_for_it(pty);
  pty.signal(SIGTERM);
  EXPECT_EQ(pty.wait_for_exit(), 128 + SIGTERM);
}

TEST_F(StoppingTest, RunsWithoutAPromptEndWithTheSignalsStatus) {
  for (const std::string& line : {"shell " + deaf, "show version | " + deaf}) {
    for (const int number : {SIGINT, SIGTERM}) {
      Pty pty = batch(line);
      wait_for_it(pty);
      pty.signal(number);
      EXPECT_EQ(pty.wait_for_exit(), 128 + number) << line;
    }
  }
}

TEST_F(StoppingTest, ARunThatStopsWhereItIsHasTheSignalsStatus) {
  const std::string kernel = std::string(RPL_EXAMPLES) + "/hip/objects/pointer_chase.gfx942.co";
  Pty pty = start({"-nx", "-batch", "-ex",
                   "kernel run " + kernel +
                       " --grid 64 --workgroup 64 --arg u64:chain(2):200 --arg u64:zero:64 "
                       "--arg u64:zero:64 --arg i32:64 --arg i32:2000000000 --stop",
                   "-ex", "echo it runs", "-ex", "continue"},
                  80, 24, "it runs");
  pty.signal(SIGINT);
  EXPECT_EQ(pty.wait_for_exit(), 128 + SIGINT) << pty.screen().text();
}

TEST_F(StoppingTest, TwoKeysEndARunWithoutAPrompt) {
  Pty pty = batch("shell " + deaf);
  wait_for_it(pty);
  press_twice(pty);
  EXPECT_EQ(pty.wait_for_exit(), 128 + SIGINT);
}

TEST_F(StoppingTest, QuitEndsThoughAJobHearsNothing) {
  folder.write("deaf.sh", kDeaf);
  Pty pty = start({"-q"});
  pty.send("profile --no-rocprof -- sh deaf.sh &\r");
  ASSERT_TRUE(pty.wait_for("j1 runs in the background")) << pty.screen().text();
  pty.send("quit\r");
  ASSERT_TRUE(pty.wait_for("stop it and leave? [y/N]")) << pty.screen().text();
  pty.send("y\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

}  // namespace
}  // namespace rpl
