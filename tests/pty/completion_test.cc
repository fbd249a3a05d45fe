// SPDX-License-Identifier: MIT
// Tab in bash, zsh and fish, with the scripts that rpl prints.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/process/run.h"
#include "tests/support/pty.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::Pty;
namespace keys = testing_support::keys;

std::string path_with_rpl() {
  return "PATH=" + std::filesystem::path(RPL_PROGRAM).parent_path().string() + ":" +
         std::getenv("PATH");
}

bool is_installed(const std::string& shell) {
  return run({.argv = {shell, "-c", "exit"}}).has_value();
}

class BashCompletion : public testing::Test {
 protected:
  Pty start() {
    folder_.write("two words.lua", "");
    Pty::Start how;
    how.argv = {"bash", "--norc", "--noprofile", "-i"};
    how.cwd = folder_.path();
    how.columns = 120;
    how.env = {path_with_rpl(), "INPUTRC=/dev/null", "PS1=$ ", "HISTFILE", "PROMPT_COMMAND"};
    Result<Pty> pty = Pty::start(how);
    EXPECT_TRUE(pty.has_value());
    pty->send("source <(rpl --emit-completion bash); echo so\"\"urced\r");
    EXPECT_TRUE(pty->wait_for("sourced"));
    return std::move(*pty);
  }

  testing_support::TempDir folder_;
};

TEST_F(BashCompletion, CompletesOptionsCommandsAndFiles) {
  Pty pty = start();
  pty.send("rpl --emit-com" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("rpl --emit-completion ")) << pty.screen().text();
  pty.send("ba" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("bash ")) << pty.screen().text();
  pty.send("\x15rpl inf" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("rpl info ")) << pty.screen().text();
  pty.send("capab" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("capabilities ")) << pty.screen().text();
  pty.send("\x15rpl -x two" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("two\\ words.lua ")) << pty.screen().text();
}

TEST_F(BashCompletion, CompletesALineInQuotesBehindEx) {
  Pty pty = start();
  pty.send("rpl -ex 'info capab" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("'info capabilities' ")) << pty.screen().text();
  pty.send("-ex \"docto" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_for("\"doctor\" ")) << pty.screen().text();
}

auto shows(std::string text) {
  return [text = std::move(text)](const testing_support::Screen& screen) {
    return screen.text().find(text) != std::string::npos;
  };
}

TEST(ZshCompletion, CompletesOptionsCommandsAndLinesInQuotes) {
  if (!is_installed("zsh")) GTEST_SKIP() << "there is no zsh (scripts/setup --full)";
  const testing_support::TempDir folder;
  Pty::Start how;
  how.argv = {"zsh", "-f", "-i"};
  how.cwd = folder.path();
  how.columns = 120;
  how.env = {path_with_rpl(), "ZDOTDIR=" + folder.path(), "HOME=" + folder.path()};
  Result<Pty> started = Pty::start(how);
  ASSERT_TRUE(started.has_value());
  Pty& pty = *started;
  pty.send(
      "PS1='> '; mkdir f; rpl --emit-completion zsh > f/_rpl; fpath=($PWD/f $fpath); autoload -Uz "
      "compinit; compinit -u; echo rea\"\"dy\r");
  ASSERT_TRUE(pty.wait_for("ready")) << pty.screen().text();
  pty.send("rpl --emit-com" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_until(shows("> rpl --emit-completion"))) << pty.screen().text();
  pty.send("\x15rpl inf" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_until(shows("> rpl info"))) << pty.screen().text();
  pty.send("\x15rpl -ex \"info capab" + std::string(keys::kTab));
  EXPECT_TRUE(pty.wait_until(shows("> rpl -ex \"info capabilities\""))) << pty.screen().text();
}

TEST(FishCompletion, AnswersWithWhatWordsAre) {
  if (!is_installed("fish")) GTEST_SKIP() << "there is no fish (scripts/setup --full)";
  const testing_support::TempDir folder;
  const std::string script =
      "rpl --emit-completion fish | source; complete -C 'rpl --emit-m'; complete -C 'rpl -ex "
      "\"info capab'; complete -C 'rocm-perf --interpreter js'";
  const auto exit = run({.argv = {"fish", "--no-config", "-c", script},
                         .env = {path_with_rpl(), "HOME=" + folder.path()},
                         .cwd = folder.path()});
  ASSERT_TRUE(exit.has_value() && exit->ok());
  EXPECT_EQ(exit->out.text,
            "--emit-man\tprint the manual page, rpl(1)\ninfo capabilities\tShow what this machine "
            "can do, and what fixes what it cannot.\njsonl\n");
}

}  // namespace
}  // namespace rpl
