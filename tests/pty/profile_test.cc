// SPDX-License-Identifier: MIT
// A profile that is interrupted at the prompt.
#include <signal.h>

#include <filesystem>

#include "tests/pty/fixture.h"

#ifdef RPL_HIP_EXAMPLE
namespace rpl {
namespace {

using testing_support::PromptTest;
using testing_support::Pty;
namespace fs = std::filesystem;

/// The database below a folder; "" for none.
std::string database_in(const std::string& folder) {
  std::error_code ignored;
  for (fs::recursive_directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (entry->path().extension() == ".db") return entry->path().string();
  }
  return {};
}

TEST_F(PromptTest, CtrlCEndsAProfiledProgramAndKeepsWhatItHadDone) {
  Pty pty = start({"-q"});
  pty.send("profile --output out -- " RPL_HIP_EXAMPLE " --hang\r");
  ASSERT_TRUE(pty.wait_for("waiting"));
  pty.send("\x03");
  ASSERT_TRUE(pty.wait_for("(rpl) ")) << pty.screen().text();
  EXPECT_TRUE(shows(pty, "Quit")) << pty.screen().text();
  EXPECT_TRUE(shows(pty, "what it had done was kept: open")) << pty.screen().text();
  const std::string database = database_in(folder / "out");
  ASSERT_FALSE(database.empty());
  EXPECT_EQ(::kill(std::stoi(fs::path(database).filename()), 0), -1) << "the program is gone";
  pty.send("open " + database + "\r");
  EXPECT_TRUE(pty.wait_for("2 dispatches")) << pty.screen().text();
}

}  // namespace
}  // namespace rpl
#endif
