// SPDX-License-Identifier: MIT
#include "engine/process/confine.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

#define RPL_CONFINES_OR_SKIP() \
  if (!confinement_gap().empty()) GTEST_SKIP() << confinement_gap()

class Confine : public ::testing::Test {
 protected:
  void SetUp() override {
    open_ = folder_.write("open/a.txt", "for all\n");
    secret_ = folder_.write("secret/key", "for nobody\n");
    std::filesystem::create_directories(folder_ / "out");
    rules_.programs = {"/usr", "/bin", "/lib", "/lib64"};
    rules_.readable = {folder_ / "open", "/etc/ld.so.cache"};
    rules_.writable = {folder_ / "out"};
  }

  Result<Exit> shell(const std::string& line) {
    return run_confined({.argv = {"/bin/bash", "-c", line}, .timeout = std::chrono::seconds(20)},
                        rules_);
  }

  TempDir folder_;
  std::string open_, secret_;
  Confinement rules_;
};

TEST_F(Confine, ReadsWhatItWasGivenAndNothingElse) {
  RPL_CONFINES_OR_SKIP();
  const auto given = shell("cat " + open_);
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->out.text, "for all\n");
  const auto other = shell("cat " + secret_);
  ASSERT_TRUE(other);
  EXPECT_NE(other->code, 0);
  EXPECT_EQ(other->out.text, "");
  EXPECT_NE(other->err.text.find("Permission denied"), std::string::npos) << other->err.text;
}

TEST_F(Confine, HoldsChildrenAndLinksToo) {
  RPL_CONFINES_OR_SKIP();
  ASSERT_EQ(::symlink(secret_.c_str(), (folder_ / "open/link").c_str()), 0);
  const auto ended = shell("bash -c 'cat " + secret_ + "'; cat " + (folder_ / "open/link") +
                           "; ls " + (folder_ / "secret"));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out.text, "");
}

TEST_F(Confine, WritesIntoItsOwnFolderAlone) {
  RPL_CONFINES_OR_SKIP();
  const auto ended = shell("cd " + (folder_ / "out") +
                           " && echo one > a && mv a b && mkdir c && cat b; echo two > " + open_ +
                           "; echo three > " + (folder_ / "open/new") + "; rm " + secret_);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out.text, "one\n");
  EXPECT_EQ(folder_.read("open/a.txt"), "for all\n");
  EXPECT_EQ(folder_.read("open/new"), "");
  EXPECT_EQ(folder_.read("secret/key"), "for nobody\n");
}

TEST_F(Confine, OpensNoSocket) {
  RPL_CONFINES_OR_SKIP();
  const auto ended = shell("exec 3<>/dev/udp/127.0.0.1/9 && echo connected");
  ASSERT_TRUE(ended);
  EXPECT_NE(ended->code, 0);
  EXPECT_EQ(ended->out.text, "");
  // The same line connects where nothing holds it back.
  const auto free =
      run({.argv = {"/bin/bash", "-c", "exec 3<>/dev/udp/127.0.0.1/9 && echo connected"}});
  ASSERT_TRUE(free);
  EXPECT_EQ(free->out.text, "connected\n");
}

TEST_F(Confine, UsesNoMoreMemoryAndTimeThanItMay) {
  RPL_CONFINES_OR_SKIP();
  rules_.memory_bytes = std::uint64_t{256} << 20;
  const auto memory = shell("x=$(head -c 400000000 /dev/zero | tr '\\0' a); echo ${#x}");
  ASSERT_TRUE(memory);
  EXPECT_NE(memory->out.text, "400000000\n");
  rules_.cpu_seconds = 1;
  const auto time = shell("while :; do :; done");
  ASSERT_TRUE(time);
  EXPECT_FALSE(time->timed_out);
  EXPECT_TRUE(time->signal == SIGXCPU || time->signal == SIGKILL) << time->signal;
}

TEST_F(Confine, HoldsNobodyElse) {
  RPL_CONFINES_OR_SKIP();
  ASSERT_TRUE(shell("true"));
  // This thread, and what it starts, are as before.
  const auto ended = run({.argv = {"/bin/cat", secret_}});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out.text, "for nobody\n");
  EXPECT_EQ(folder_.read("secret/key"), "for nobody\n");
}

TEST_F(Confine, StartsNothingWhereTheMachineCannot) {
  if (confinement_gap().empty()) GTEST_SKIP() << "this machine can";
  const auto ended = shell("true");
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, Errc::missing_capability);
  EXPECT_NE(ended.error().message.find(confinement_gap()), std::string::npos);
}

}  // namespace
}  // namespace rpl
