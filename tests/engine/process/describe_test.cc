// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/base/interrupt.h"
#include "engine/process/run.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

TEST(CommandLine, QuotesOnlyWhatAShellWouldSplit) {
  EXPECT_EQ(command_line({"rocprofv3", "--out=a/b.db", "-d", "x y", "it's", ""}),
            "rocprofv3 --out=a/b.db -d 'x y' 'it'\\''s' ''");
}

TEST(CommandLine, IsReadBackByTheShell) {
  const std::vector<std::string> words = {"printf", "%s\n", "$x", "a'b\"c", "*", "~", "new\nline"};
  const Result<Exit> exit = run({.argv = {"sh", "-c", command_line(words)}});
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out.text, "$x\na'b\"c\n*\n~\nnew\nline\n");
}

TEST(LastLine, IsTheLastThatIsNotBlank) {
  EXPECT_EQ(last_line("first\nrow 7 is off\r\n \t\n\n"), "row 7 is off");
  EXPECT_EQ(last_line("alone"), "alone");
  EXPECT_EQ(last_line(" \n\n"), "");
  EXPECT_EQ(last_line(""), "");
  EXPECT_EQ(last_line("x\n" + std::string(400, 'y')), std::string(300, 'y'));
}

TEST(CheckExit, QuotesTheCommandAndItsLastWords) {
  const Spawn spawn{.argv = {"hipcc", "a b.hip"}};
  Exit exit;
  exit.code = 1;
  exit.err.text = "1\n2\n3\n4\n5\n6\n";
  const Status status = check_exit(spawn, exit);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message, "'hipcc 'a b.hip'' ended with status 1: 2\n3\n4\n5\n6");
}

TEST(CheckExit, TellsATimeOutFromASignal) {
  const Spawn spawn{.argv = {"sleep"}, .timeout = std::chrono::milliseconds(20)};
  Exit exit;
  exit.code = 143;
  exit.signal = 15;
  EXPECT_THAT(check_exit(spawn, exit).error().message, HasSubstr("signal 15"));
  exit.timed_out = true;
  EXPECT_EQ(check_exit(spawn, exit).error().code, Errc::timeout);
  EXPECT_THAT(check_exit(spawn, exit).error().message, HasSubstr("longer than 20 ms"));
}

TEST(CheckExit, TakesTheEndOfAWholeJobForOne) {
  Exit exit;
  exit.code = 143;
  exit.signal = 15;
  std::thread later([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    interrupt::raise();
  });
  const Status status = check_exit({.argv = {"app"}}, exit);
  later.join();
  interrupt::clear();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::interrupted);
}

TEST(CheckExit, AcceptsSuccess) { EXPECT_TRUE(check_exit({.argv = {"true"}}, {}).has_value()); }

}  // namespace
}  // namespace rpl
