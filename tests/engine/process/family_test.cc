// SPDX-License-Identifier: MIT
#include "engine/process/family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <thread>

#include "engine/process/background.h"
#include "tests/support/temp_dir.h"

namespace rpl::process {
namespace {

std::vector<pid_t> pids_of(const std::vector<Member>& members) {
  std::vector<pid_t> out;
  for (const Member& member : members) out.push_back(member.pid);
  return out;
}

TEST(Family, HoldsChildrenOfChildrenAndNobodyElse) {
  const testing_support::TempDir folder;
  const std::string file = folder / "pids";
  Result<Background> shell = Background::start(
      {.argv = {"sh", "-c", "sh -c 'sleep 3000 & echo $PPID $$ $! >\"$0\"; wait' \"$0\"; true",
                file}});
  ASSERT_TRUE(shell.has_value());
  // Written by the shell itself: a program that moved the file would be one of the family until it has ended.
  while (!std::filesystem::exists(file) || !folder.read("pids").ends_with('\n'))
    std::this_thread::yield();
  std::vector<pid_t> told;
  std::istringstream words(folder.read("pids"));
  for (pid_t pid = 0; words >> pid;) told.push_back(pid);
  ASSERT_EQ(told.size(), 3U);
  const std::vector<Member> family = family_of(told[0]);
  EXPECT_THAT(pids_of(family), testing::UnorderedElementsAreArray(told));
  EXPECT_EQ(family.front().pid, told[0]);
  EXPECT_THAT(pids_of(family_of(told[2])), testing::ElementsAre(told[2]));
}

TEST(Family, NoSignalReachesWhoTookTheNumberOfAnother) {
  Result<Background> sleeps = Background::start({.argv = {"sh", "-c", "sleep 3000; true"}});
  ASSERT_TRUE(sleeps.has_value());
  std::vector<Member> family = family_of(getpid());
  std::erase_if(family, [](const Member& one) { return one.pid == getpid(); });
  ASSERT_FALSE(family.empty());
  for (Member& one : family) ++one.began;
  signal_all(family, SIGKILL);
  EXPECT_EQ(sleeps->ended(), nullptr);
  for (Member& one : family) --one.began;
  signal_all(family, SIGKILL);
  while (sleeps->ended() == nullptr) std::this_thread::yield();
  EXPECT_EQ(sleeps->ended()->signal, SIGKILL);
}

}  // namespace
}  // namespace rpl::process
