// SPDX-License-Identifier: MIT
#include "engine/process/attached.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "engine/base/interrupt.h"
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
  struct sigaction during{}, quit{}, after{};
  {
    Result<Attached> child = Attached::start({.argv = {"cat"}}, Attached::Input::written);
    sigaction(SIGINT, nullptr, &during);
    sigaction(SIGQUIT, nullptr, &quit);
  }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_NE(during.sa_handler, SIG_DFL);
  EXPECT_EQ(quit.sa_handler, SIG_IGN);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
}

TEST(Attached, LeavesIgnoredWhatWasIgnored) {
  struct sigaction ignore{}, before{}, during{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  {
    Result<Attached> child = Attached::start({.argv = {"cat"}}, Attached::Input::written);
    sigaction(SIGINT, nullptr, &during);
  }
  sigaction(SIGINT, &before, nullptr);
  EXPECT_EQ(during.sa_handler, SIG_IGN);
}

/// A program that hears no signal, and what it started; it goes on for longer than any test. The first number is its own.
class Deaf {
 public:
  [[nodiscard]] Spawn spawn() const {
    return {.argv = {"sh", "-c",
                     "trap '' INT TERM; sleep 3000 & echo $$ $! >\"$0.part\"; mv \"$0.part\" "
                     "\"$0\"; while :; do sleep 3000; done",
                     folder_ / "pids"}};
  }
  void wait_until_it_runs() const {
    while (!std::filesystem::exists(folder_ / "pids")) std::this_thread::yield();
  }
  /// Comes back when both have gone; a zombie has.
  void wait_until_it_is_gone() const {
    std::istringstream pids(folder_.read("pids"));
    for (std::string pid; pids >> pid;) {
      while (runs(pid)) std::this_thread::yield();
    }
  }

 private:
  static bool runs(const std::string& pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string stat;
    std::getline(file, stat);
    return !stat.empty() && stat.find(") Z ") == std::string::npos;
  }
  testing_support::TempDir folder_;
};

class AttachedStops : public testing::Test {
 protected:
  ~AttachedStops() override { interrupt::clear(); }
};

TEST_F(AttachedStops, AProgramThatIgnoresSignalsWithAllThatItStarted) {
  const Deaf deaf;
  Result<Attached> child = Attached::start(deaf.spawn(), Attached::Input::given);
  ASSERT_TRUE(child.has_value());
  deaf.wait_until_it_runs();
  interrupt::raise();
  const Result<Exit> exit = child->finish();
  ASSERT_FALSE(exit.has_value());
  EXPECT_EQ(exit.error().code, Errc::interrupted);
  deaf.wait_until_it_is_gone();
}

TEST_F(AttachedStops, OneThatServesAProgramLikewise) {
  const Deaf deaf;
  const auto ask = [&] {
    Attached::serve_programs();
    Result<Attached> child = Attached::start(deaf.spawn(), Attached::Input::given);
    deaf.wait_until_it_runs();
    interrupt::raise();
    const bool stopped = child && child->finish().error().code == Errc::interrupted;
    deaf.wait_until_it_is_gone();
    std::_Exit(stopped ? 0 : 1);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
}

TEST_F(AttachedStops, AProgramThatReadsNothing) {
  const Deaf deaf;
  Result<Attached> child = Attached::start(deaf.spawn(), Attached::Input::written);
  ASSERT_TRUE(child.has_value());
  std::thread later([&] {
    deaf.wait_until_it_runs();
    interrupt::raise();
  });
  const std::string more_than_a_pipe_holds(1U << 22U, 'x');
  const Result<bool> written = child->write(more_than_a_pipe_holds);
  later.join();
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Errc::interrupted);
  EXPECT_FALSE(child->finish().has_value());
  deaf.wait_until_it_is_gone();
}

TEST_F(AttachedStops, NotForARequestThatWasThereBefore) {
  interrupt::raise();
  const Result<Exit> exit = run_attached({.argv = {"true"}});
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->ok());
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
