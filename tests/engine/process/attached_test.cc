// SPDX-License-Identifier: MIT
#include "engine/process/attached.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

/// A file that a child writes to.
class Output {
 public:
  [[nodiscard]] Spawn from(std::string script) const {
    return {.argv = {"sh", "-c", std::move(script) + " >\"$0\"", folder_ / "output"}};
  }
  [[nodiscard]] std::string text() const { return folder_.read("output"); }

 private:
  testing_support::TempDir folder_;
};

TEST(Attached, ReadsWhatItIsGiven) {
  const Output output;
  Spawn spawn = output.from("cat");
  spawn.stdin_text = "given";
  const Result<Exit> exit = run_attached(spawn);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(output.text(), "given");
}

TEST(Attached, ReadsWhatIsWritten) {
  const Output output;
  Result<Attached> child = Attached::start(output.from("cat"), Attached::Input::written);
  ASSERT_TRUE(child.has_value());
  EXPECT_TRUE(child->write("one ").value());
  EXPECT_TRUE(child->write("two").value());
  EXPECT_TRUE(child->finish()->ok());
  EXPECT_EQ(output.text(), "one two");
}

TEST(Attached, AReaderThatStopsEarlyIsANormalEnd) {
  const Output output;
  Result<Attached> child = Attached::start(output.from("head -n 1"), Attached::Input::written);
  ASSERT_TRUE(child.has_value());
  while (child->write("a line\n").value()) {
  }
  EXPECT_TRUE(child->finish()->ok());
  EXPECT_EQ(output.text(), "a line\n");
}

TEST(Attached, KeepsItsOwnSignalsFromUsAndRestoresOurs) {
  struct sigaction during{};
  struct sigaction after{};
  {
    Result<Attached> child = Attached::start({.argv = {"cat"}}, Attached::Input::written);
    sigaction(SIGINT, nullptr, &during);
  }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(during.sa_handler, SIG_IGN);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
}

TEST(Attached, TheChildDiesOfTheSignalsThatWeIgnore) {
  const Result<Exit> exit = run_attached({.argv = {"sh", "-c", "kill -INT $$"}});
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->signal, SIGINT);
}

TEST(Attached, SharesOurProcessGroup) {
  const Output output;
  ASSERT_TRUE(run_attached(output.from("cut -d' ' -f5 /proc/$$/stat")).has_value());
  EXPECT_EQ(std::stoi(output.text()), getpgrp());
}

TEST(Attached, NamesAMissingProgram) {
  const Result<Exit> exit = run_attached({.argv = {"rpl-no-such-pager"}});
  ASSERT_FALSE(exit.has_value());
  EXPECT_EQ(exit.error().code, Errc::not_found);
}

TEST(Attached, OfAProgramThatServesOthersLeadsAGroupAndKeepsNoKeys) {
  // It is for the life of the process: asked of a child.
  const Output output;
  const auto ask = [&] {
    Attached::serve_programs();
    struct sigaction during{};
    Result<Attached> child =
        Attached::start(output.from("cut -d' ' -f1,5 /proc/$$/stat"), Attached::Input::written);
    sigaction(SIGINT, nullptr, &during);
    const bool ended = child && child->finish()->ok();
    std::_Exit(ended && during.sa_handler == SIG_DFL ? 0 : 1);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
  const std::string text = output.text();
  EXPECT_EQ(std::stoi(text), std::stoi(text.substr(text.find(' ')))) << text;
}

}  // namespace
}  // namespace rpl
