// SPDX-License-Identifier: MIT
#include "engine/process/run.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/insist.h"
#include "engine/base/interrupt.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

Spawn shell(std::string script) { return Spawn{.argv = {"sh", "-c", std::move(script)}}; }

Exit run_ok(const Spawn& spawn) {
  Result<Exit> exit = run(spawn);
  EXPECT_TRUE(exit.has_value()) << exit.error().message;
  return exit ? std::move(*exit) : Exit{};
}

TEST(Run, CollectsBothStreamsAndTheStatus) {
  const Exit exit = run_ok(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(exit.out.text, "out\n");
  EXPECT_EQ(exit.err.text, "err\n");
  EXPECT_EQ(exit.code, 3);
  EXPECT_FALSE(exit.ok());
}

TEST(Run, PassesArgumentsUnchanged) {
  const Exit exit = run_ok({.argv = {"printf", "%s|", "a b", "", "$HOME", "'\"\\"}});
  EXPECT_EQ(exit.out.text, "a b||$HOME|'\"\\|");
}

TEST(Run, GivesNothingToReadUnlessAsked) {
  EXPECT_EQ(run_ok({.argv = {"cat"}}).out.text, "");
  EXPECT_EQ(run_ok({.argv = {"cat"}, .stdin_text = "some text"}).out.text, "some text");
}

TEST(Run, FeedsMoreInputThanAPipeHolds) {
  const std::string text(3'000'000, 'x');
  EXPECT_EQ(run_ok({.argv = {"cat"}, .stdin_text = text}).out.text, text);
}

TEST(Run, InputThatNobodyReadsIsNoFailure) {
  EXPECT_TRUE(run_ok({.argv = {"true"}, .stdin_text = std::string(1'000'000, 'x')}).ok());
}

TEST(Run, ChangesTheEnvironmentAndTheFolder) {
  setenv("RPL_TEST_GONE", "1", 1);
  Spawn spawn = shell("pwd; echo ${RPL_TEST_NEW} ${RPL_TEST_GONE-unset}");
  spawn.env = {"RPL_TEST_NEW=new", "RPL_TEST_GONE"};
  spawn.cwd = "/";
  EXPECT_EQ(run_ok(spawn).out.text, "/\nnew unset\n");
  unsetenv("RPL_TEST_GONE");
}

TEST(Run, HandsOutLinesAsTheyCome) {
  std::vector<std::string> lines;
  Spawn spawn = shell("echo one; echo two >&2; printf three");
  spawn.on_line = [&](OutputStream stream, std::string_view line) {
    lines.push_back((stream == OutputStream::out ? "out " : "err ") + std::string(line));
  };
  run_ok(spawn);
  EXPECT_THAT(lines, testing::UnorderedElementsAre("out one", "err two", "out three"));
}

TEST(Run, SplitsAnEndlessLine) {
  std::size_t bytes = 0;
  std::size_t pieces = 0;
  Spawn spawn = shell("head -c 3000000 /dev/zero");
  spawn.on_line = [&](OutputStream, std::string_view line) { bytes += line.size(), ++pieces; };
  run_ok(spawn);
  EXPECT_EQ(bytes, 3'000'000U);
  EXPECT_GT(pieces, 1U);
}

TEST(Run, KeepsTheFirstOfStdoutAndTheLastOfStderrAndSaysHowMuchIsMissing) {
  Spawn spawn = shell("printf 0123456789; printf 0123456789 >&2");
  spawn.capture_limit = 4;
  const Exit exit = run_ok(spawn);
  EXPECT_EQ(exit.out.text, "0123");
  EXPECT_EQ(exit.err.text, "6789");
  EXPECT_EQ(exit.out.dropped_bytes, 6U);
  EXPECT_EQ(exit.err.dropped_bytes, 6U);
}

TEST(Run, DrainsBothStreamsOfAFlood) {
  Spawn spawn = shell("yes | head -c 20000000 & yes no | head -c 20000000 >&2; wait");
  spawn.capture_limit = 1000;
  const Exit exit = run_ok(spawn);
  EXPECT_EQ(exit.out.text.size() + exit.out.dropped_bytes, 20'000'000U);
  EXPECT_EQ(exit.err.text.size() + exit.err.dropped_bytes, 20'000'000U);
}

TEST(Run, StopsAProgramThatTakesTooLong) {
  const Exit exit = run_ok({.argv = {"sleep", "1000"}, .timeout = 20ms});
  EXPECT_TRUE(exit.timed_out);
  EXPECT_EQ(exit.signal, SIGTERM);
  EXPECT_EQ(exit.code, 128 + SIGTERM);
}

TEST(Run, StopsAFloodThatTakesTooLong) {
  EXPECT_TRUE(run_ok({.argv = {"yes"}, .timeout = 20ms, .capture_limit = 100}).timed_out);
}

TEST(Run, KillsAProgramThatIgnoresTheFirstSignal) {
  Spawn spawn = shell("trap '' TERM; echo ready; while :; do sleep 1000; done");
  spawn.timeout = 20ms;
  spawn.grace = 20ms;
  const Exit exit = run_ok(spawn);
  EXPECT_TRUE(exit.timed_out);
  // Before the trap is set the shell may die of the first signal.
  EXPECT_EQ(exit.signal, exit.out.text == "ready\n" ? SIGKILL : SIGTERM);
}

TEST(Run, WhoInsistsDoesNotWaitForTheGrace) {
  Spawn spawn{.argv = {"sh", "-c", "trap '' TERM; echo ready; sleep 3000; sleep 3000"},
              .grace = std::chrono::hours(1),
              .on_line = [](OutputStream, std::string_view) {
                interrupt::raise();
                interrupt::insist();
              }};
  const Result<Exit> exit = run(spawn);
  interrupt::clear();
  ASSERT_FALSE(exit.has_value());
  EXPECT_EQ(exit.error().code, Errc::interrupted);
  EXPECT_FALSE(interrupt::insisted());
}

TEST(Run, LeavesNoChildOfAStoppedProgramBehind) {
  const testing_support::TempDir folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const UniqueFd reader(open(fifo.c_str(), O_RDONLY | O_NONBLOCK));
  Spawn spawn = shell("exec 3>\"$0\"; (trap '' TERM; echo ready; sleep 1000) & sleep 1000");
  spawn.argv.push_back(fifo);
  spawn.on_line = [](OutputStream, std::string_view) { interrupt::raise(); };
  const Result<Exit> exit = run(spawn);
  interrupt::clear();
  EXPECT_EQ(exit.error().code, Errc::interrupted);
  // The end of the file comes when the last process that holds the other side is dead.
  fcntl(reader.get(), F_SETFL, 0);
  char byte = 0;
  EXPECT_EQ(read(reader.get(), &byte, 1), 0);
}

TEST(Run, StopsAStoppedProgram) {
  EXPECT_TRUE(run_ok({.argv = {"sh", "-c", "kill -STOP $$"}, .timeout = 20ms}).timed_out);
}

TEST(Run, DoesNotStartWhileAnInterruptIsPending) {
  interrupt::raise();
  const Result<Exit> exit = run({.argv = {"true"}});
  interrupt::clear();
  EXPECT_EQ(exit.error().code, Errc::interrupted);
}

TEST(Run, DoesNotWaitForWhatStaysInTheBackground) {
  const Exit exit = run_ok(shell("sleep 1000 & echo $!"));
  EXPECT_TRUE(exit.ok());
  EXPECT_EQ(kill(std::stoi(exit.out.text), SIGKILL), 0);
}

TEST(Run, ReportsTheSignalThatEndedAProgram) {
  const Exit exit = run_ok(shell("kill -SEGV $$"));
  EXPECT_EQ(exit.signal, SIGSEGV);
  EXPECT_FALSE(exit.timed_out);
}

TEST(Run, NamesWhatCannotStart) {
  struct Case {
    Spawn spawn;
    Errc code;
    std::string message;
  };
  const Case cases[] = {
      {{.argv = {}}, Errc::usage, "no program to run"},
      {{.argv = {"rpl-no-such-program"}}, Errc::not_found, "rpl-no-such-program': no such program"},
      {{.argv = {"true"}, .cwd = "/no/such"}, Errc::not_found, "'/no/such': no such folder"},
      {{.argv = {"/etc/passwd"}}, Errc::denied, "cannot run '/etc/passwd'"},
      {{.argv = {"echo", std::string("a\0b", 3)}}, Errc::usage, "zero byte"},
  };
  for (const Case& c : cases) {
    const Result<Exit> exit = run(c.spawn);
    ASSERT_FALSE(exit.has_value()) << c.message;
    EXPECT_EQ(exit.error().code, c.code) << c.message;
    EXPECT_THAT(exit.error().message, HasSubstr(c.message));
  }
}

TEST(Run, InheritsNoOtherDescriptor) {
  const int extra = open("/dev/null", O_RDONLY);  // deliberately not close-on-exec
  const Exit exit = run_ok(shell("ls /proc/self/fd | wc -l"));
  close(extra);
  EXPECT_EQ(std::stoi(exit.out.text), 4);  // 0, 1, 2 and the folder that ls reads
}

TEST(Run, WorksWhenOurOwnStdinAndStdoutAreClosed) {
  const int in = dup(0);
  const int out = dup(1);
  close(0);
  close(1);
  const Result<Exit> exit = run({.argv = {"cat"}, .stdin_text = "text"});
  dup2(in, 0);
  dup2(out, 1);
  close(in);
  close(out);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out.text, "text");
}

TEST(Run, GivesDefaultSignalsToAChildOfABlockingParent) {
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, nullptr);
  signal(SIGPIPE, SIG_IGN);
  const Exit exit = run_ok(shell("kill -TERM $$; echo survived"));
  const Exit broken = run_ok(shell("(yes; echo $? >&2) | head -n 1"));
  signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
  EXPECT_EQ(exit.signal, SIGTERM);
  EXPECT_EQ(broken.err.text, "141\n");
}

}  // namespace
}  // namespace rpl
