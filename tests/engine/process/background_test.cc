// SPDX-License-Identifier: MIT
#include "engine/process/background.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

namespace rpl {
namespace {

Spawn child_of(const std::string& text) {
  Spawn spawn;
  spawn.argv = {"/bin/sh", "-c", text};
  return spawn;
}

const Exit& wait_for(Background& child) {
  while (child.ended() == nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return *child.ended();
}

TEST(Background, KeepsBothStreamsAndHowItEnded) {
  auto child = Background::start(child_of("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(child.has_value()) << child.error().message;
  const Exit& exit = wait_for(*child);
  EXPECT_EQ(exit.code, 3);
  EXPECT_EQ(exit.signal, 0);
  EXPECT_EQ(child->printed(OutputStream::out, 0, 100), "out\n");
  EXPECT_EQ(child->printed(OutputStream::err, 0, 100), "err\n");
  EXPECT_EQ(child->elapsed(), exit.wall);
}

TEST(Background, ReadsPartsOfWhatWasPrinted) {
  auto child = Background::start(child_of("printf 0123456789"));
  ASSERT_TRUE(child.has_value());
  wait_for(*child);
  EXPECT_EQ(child->printed_bytes(OutputStream::out), 10U);
  EXPECT_EQ(child->printed(OutputStream::out, 4, 3), "456");
  EXPECT_EQ(child->printed(OutputStream::out, 8, 100), "89");
  EXPECT_EQ(child->printed(OutputStream::out, 11, 100), "");
}

TEST(Background, GoesOnWhileItIsLookedAt) {
  auto child = Background::start(child_of("echo begun; read line; sleep 100"));
  ASSERT_TRUE(child.has_value());
  // Nothing stands on its stdin, so that `read` ends at once and it sleeps.
  while (child->printed_bytes(OutputStream::out) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(child->ended(), nullptr);
  child->stop();
  ASSERT_NE(child->ended(), nullptr);
  EXPECT_EQ(child->ended()->signal, SIGTERM);
}

TEST(Background, StopsAlsoWhatItStartedAndWhatIgnoresTheFirstSignal) {
  auto child = Background::start(child_of("trap '' TERM; sleep 100 & echo $!; wait; sleep 100"));
  ASSERT_TRUE(child.has_value());
  while (child->printed_bytes(OutputStream::out) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const int grandchild = std::stoi(child->printed(OutputStream::out, 0, 100));
  child->stop(std::chrono::milliseconds(50));
  EXPECT_EQ(child->ended()->signal, SIGKILL);
  // Whoever adopts it waits for it, at times a little later.
  for (int i = 0; i < 1000 && ::kill(grandchild, 0) == 0 &&
                  std::filesystem::exists(fmt::format("/proc/{}/fd/0", grandchild));
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_FALSE(std::filesystem::exists(fmt::format("/proc/{}/fd/0", grandchild)));
}

TEST(Background, EndsWithItsObject) {
  int pid = 0;
  {
    auto child = Background::start(child_of("echo $$; exec sleep 100"));
    ASSERT_TRUE(child.has_value());
    while (child->printed_bytes(OutputStream::out) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    pid = std::stoi(child->printed(OutputStream::out, 0, 100));
    const Background moved = std::move(*child);
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Background, SaysWhyItCannotStart) {
  Spawn spawn;
  spawn.argv = {"no-such-program-at-all"};
  const auto child = Background::start(spawn);
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().code, Errc::not_found);
}

}  // namespace
}  // namespace rpl
