// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/pty.h"
#include "tests/support/temp_dir.h"

namespace rpl::testing_support {

/// rpl on a terminal, in a folder of its own.
class PromptTest : public testing::Test {
 protected:
  /// Starts rpl and waits for the prompt, or for what else comes first.
  Pty start(std::vector<std::string> arguments = {}, int columns = 80, int rows = 24,
            std::string_view first = "(rpl) ") {
    Pty::Start how;
    how.argv = {RPL_PROGRAM};
    how.argv.insert(how.argv.end(), arguments.begin(), arguments.end());
    how.env = {"XDG_STATE_HOME=" + folder / "state", "XDG_CONFIG_HOME=" + folder / "config",
               "INPUTRC=/dev/null", "PAGER", "LESS"};
    how.env.insert(how.env.end(), environment.begin(), environment.end());
    how.cwd = folder.path();
    how.columns = columns;
    how.rows = rows;
    Result<Pty> pty = Pty::start(how);
    EXPECT_TRUE(pty.has_value());
    EXPECT_TRUE(pty->wait_for(first));
    return std::move(*pty);
  }
  /// Types a line and waits for the next prompt behind its output.
  static void type(Pty& pty, std::string_view line) {
    pty.send(std::string(line) + "\r");
    EXPECT_TRUE(pty.wait_for("(rpl) ")) << line << "\n" << pty.screen().text();
  }
  static bool shows(const Pty& pty, std::string_view text) {
    return pty.screen().plain().find(text) != std::string::npos;
  }

  TempDir folder;
  std::vector<std::string> environment;
};

}  // namespace rpl::testing_support
