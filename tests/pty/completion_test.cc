// SPDX-License-Identifier: MIT
// Tab in bash, with the script that rpl prints.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/pty.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::Pty;
namespace keys = testing_support::keys;

class BashCompletion : public testing::Test {
 protected:
  Pty start() {
    folder_.write("two words.lua", "");
    Pty::Start how;
    how.argv = {"bash", "--norc", "--noprofile", "-i"};
    how.cwd = folder_.path();
    how.columns = 120;
    how.env = {"PATH=" + std::filesystem::path(RPL_PROGRAM).parent_path().string() + ":" + std::getenv("PATH"), "INPUTRC=/dev/null", "PS1=$ ", "HISTFILE", "PROMPT_COMMAND"};
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

}  // namespace
}  // namespace rpl
