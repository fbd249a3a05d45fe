// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "engine/store/session.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

/// Runs rpl over many lines and kills it when it has printed `lines` of them. Gives what it printed, whole lines only.
std::string printed_until_killed(const TempDir& folder, const std::string& script, int lines) {
  int in[2], out[2];
  EXPECT_EQ(pipe(in), 0);
  EXPECT_EQ(pipe(out), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
    const std::string session = folder / "kept";
    execl(RPL_PROGRAM, RPL_PROGRAM, "-q", "-nx", "--session", session.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  EXPECT_EQ(write(in[1], script.data(), script.size()), static_cast<ssize_t>(script.size()));
  std::string text;
  char byte = 0;
  while (read(out[0], &byte, 1) == 1) {
    text += byte;
    if (byte == '\n' && --lines == 0) kill(child, SIGKILL);
  }
  close(in[1]);
  close(out[0]);
  waitpid(child, nullptr, 0);
  return text.substr(0, text.rfind('\n') + 1);
}

TEST(Killed, TheSessionHoldsAllThatWasPrinted) {
  const TempDir folder;
  std::string script;
  for (int i = 0; i < 400; ++i) script += "echo line " + std::to_string(i) + "\n";
  for (const int lines : {1, 3, 17, 60, 200}) {
    const std::string printed = printed_until_killed(folder, script, lines);
    auto session = Session::open(folder / "kept", {});
    ASSERT_TRUE(session);
    const auto log = (*session)->log(1'000'000);
    ASSERT_TRUE(log);
    std::string kept;
    for (const SessionLogLine& line : *log) {
      const bool of_last_run = line.event.run == log->back().event.run;
      if (of_last_run && line.exit) kept += line.event.what.substr(5) + "\n";
    }
    EXPECT_TRUE(kept.starts_with(printed)) << kept << "----\n" << printed;
    EXPECT_GE(std::count(printed.begin(), printed.end(), '\n'), lines);
  }
}

}  // namespace
}  // namespace rpl
