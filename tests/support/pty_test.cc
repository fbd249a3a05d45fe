// SPDX-License-Identifier: MIT
#include "tests/support/pty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

namespace rpl::testing_support {
namespace {

Pty shell(std::string script) {
  Result<Pty> pty = Pty::start({.argv = {"sh", "-c", std::move(script)}});
  EXPECT_TRUE(pty.has_value());
  return std::move(*pty);
}

TEST(Pty, TypesAndReads) {
  Pty pty = shell("read line; echo got $line; exit 3");
  pty.send("some words\r");
  EXPECT_TRUE(pty.wait_for("got some words"));
  EXPECT_EQ(pty.wait_for_exit(), 3);
}

TEST(Pty, GivesTheProgramATerminal) {
  Pty pty = shell("test -t 0 && test -t 1 && test -t 2 && echo terminal $TERM; stty size");
  EXPECT_TRUE(pty.wait_for("terminal xterm"));
  EXPECT_TRUE(pty.wait_for("24 80"));
}

TEST(Pty, LooksBehindTheLastMatchOnly) {
  Pty pty = shell("echo a b; exit 0");
  EXPECT_TRUE(pty.wait_for("b"));
  EXPECT_FALSE(pty.wait_for("a"));
}

TEST(Pty, CtrlCInterrupts) {
  Pty pty = shell("echo ready; exec sleep 1000");
  ASSERT_TRUE(pty.wait_for("ready"));
  pty.send(keys::kCtrlC);
  EXPECT_EQ(pty.wait_for_exit(), 128 + SIGINT);
}

TEST(Pty, TellsTheProgramOfANewSize) {
  Pty pty = shell("trap 'stty size; exit' WINCH; echo ready; while :; do read x; done");
  ASSERT_TRUE(pty.wait_for("ready"));
  pty.resize(120, 40);
  EXPECT_TRUE(pty.wait_for("40 120"));
}

TEST(Pty, SeesTheScreenAsItIs) {
  Pty pty = shell("printf 'loading\\r\\033[Kdone'; read x");
  EXPECT_TRUE(pty.wait_until([](const Screen& s) { return s.text() == "done"; }));
}

TEST(Pty, ReportsAProgramThatCannotStart) {
  Result<Pty> pty = Pty::start({.argv = {"rpl-no-such-program"}});
  ASSERT_TRUE(pty.has_value());
  EXPECT_EQ(pty->wait_for_exit(), 127);
}

}  // namespace
}  // namespace rpl::testing_support
