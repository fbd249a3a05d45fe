// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <filesystem>

#include "tests/pty/fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace keys = testing_support::keys;
using testing_support::PromptTest;
using testing_support::Pty;
using testing_support::Screen;

TEST_F(PromptTest, TabCompletesAndLists) {
  Pty pty = start();
  pty.send("show ver\t");
  EXPECT_TRUE(pty.wait_for("show version "));
  pty.send(keys::kEnter);
  EXPECT_TRUE(pty.wait_for("SQLite"));
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  pty.send("record s\t\t\t");
  EXPECT_TRUE(pty.wait_for("start"));
  EXPECT_TRUE(pty.wait_for("stop"));
}

TEST_F(PromptTest, TabQuotesFilesWithBlanks) {
  folder.write("my notes.txt", "inside\n");
  Pty pty = start();
  pty.send("!cat my\t\r");
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  pty.send("trust my\t");
  EXPECT_TRUE(pty.wait_for("'my notes.txt'"));
  pty.send(keys::kEnter);
  EXPECT_TRUE(pty.wait_for("sha256"));
}

TEST_F(PromptTest, CtrlCDropsTheLine) {
  Pty pty = start();
  pty.send("echo never");
  ASSERT_TRUE(pty.wait_for("echo never"));
  pty.send(keys::kCtrlC);
  EXPECT_TRUE(pty.wait_for("Quit"));
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  pty.send("echo all fine\r");
  EXPECT_TRUE(pty.wait_for("\nall fine\n"));
}

TEST_F(PromptTest, CtrlCStopsWhatRunsAndLeavesThePrompt) {
  Pty pty = start();
  pty.send("repeat echo again --every 1000\r");
  ASSERT_TRUE(pty.wait_for("again --every"));
  ASSERT_TRUE(pty.wait_for("again"));
  pty.send(keys::kCtrlC);
  EXPECT_TRUE(pty.wait_for("Quit"));
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  type(pty, "echo usable");
  EXPECT_TRUE(shows(pty, "\nusable\n"));
}

TEST_F(PromptTest, CtrlCEndsADefinitionWithoutMakingIt) {
  Pty pty = start();
  pty.send("define zzz\r");
  ASSERT_TRUE(pty.wait_for("> "));
  pty.send("echo hi\r");
  ASSERT_TRUE(pty.wait_for("> "));
  pty.send(keys::kCtrlC);
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  type(pty, "zzz");
  EXPECT_TRUE(shows(pty, "unknown command 'zzz'"));
}

TEST_F(PromptTest, CtrlDEnds) {
  Pty pty = start();
  pty.send(keys::kCtrlD);
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(PromptTest, QuitGivesItsStatus) {
  Pty pty = start();
  pty.send("quit 3\r");
  EXPECT_EQ(pty.wait_for_exit(), 3);
}

TEST_F(PromptTest, TerminationLeavesTheTerminalAsItWas) {
  Pty pty = start();
  pty.signal(SIGTERM);
  EXPECT_EQ(pty.wait_for_exit(), 128 + SIGTERM);
  EXPECT_THAT(pty.raw(), HasSubstr("\033[?2004l")) << "bracketed paste is off again";
}

TEST_F(PromptTest, HistoryLastsAcrossRunsWithoutDoubles) {
  {
    Pty pty = start();
    type(pty, "echo first");
    type(pty, "echo second");
    type(pty, "echo second");
    pty.send(keys::kCtrlD);
    ASSERT_EQ(pty.wait_for_exit(), 0);
  }
  EXPECT_EQ(folder.read("state/rpl/history"), "echo first\necho second\n");
  Pty pty = start();
  pty.send(std::string(keys::kUp) + std::string(keys::kUp));
  EXPECT_TRUE(pty.wait_until(
      [](const Screen& screen) { return screen.current_line() == "(rpl) echo first"; }));
}

TEST_F(PromptTest, ATypedSecretIsNotInTheHistory) {
  Pty pty = start();
  type(pty, "set llm key-command echo sk-secret-one");
  // Lines of a definition are typed, too.
  pty.send("define keyed\rset llm key-command echo sk-secret-two\r");
  type(pty, "end");
  type(pty, "echo last");
  EXPECT_TRUE(shows(pty, "last"));
  pty.send(keys::kCtrlD);
  ASSERT_EQ(pty.wait_for_exit(), 0);
  const std::string history = folder.read("state/rpl/history");
  EXPECT_THAT(history, HasSubstr("set llm key-command …\n"));
  EXPECT_THAT(history, HasSubstr("echo last"));
  EXPECT_THAT(history, testing::Not(HasSubstr("sk-secret")));
}

// What is remembered between runs, with a pipe in its place, which nobody writes.
TEST_F(PromptTest, PipesInTheStateFolderAreNotWaitedFor) {
  const std::filesystem::path state = std::filesystem::path(folder.path()) / "state/rpl";
  std::filesystem::create_directories(state);
  for (const char* file : {"history", "trusted", "sessions"})
    ASSERT_EQ(::mkfifo((state / file).c_str(), 0600), 0);
  Pty pty = start();
  type(pty, "echo alive");
  EXPECT_TRUE(shows(pty, "alive"));
}

TEST_F(PromptTest, APipeIsNoRecordingAndQuitEnds) {
  ASSERT_EQ(::mkfifo((std::filesystem::path(folder.path()) / "p").c_str(), 0600), 0);
  Pty pty = start();
  type(pty, "open p");
  EXPECT_TRUE(shows(pty, "is a pipe, not a file"));
  type(pty, "echo alive");
  pty.send("quit\r");
  EXPECT_EQ(pty.wait_for_exit(), 0);
}

TEST_F(PromptTest, AnEmptyLineRepeatsOnlyWhatMayBeRepeated) {
  Pty pty = start();
  type(pty, "echo once");
  type(pty, "");
  type(pty, "define twice --line 'echo two'");
  type(pty, "twice");
  type(pty, "");
  const std::string text = pty.screen().plain();
  EXPECT_THAT(text, HasSubstr("\nonce\n(rpl) \n(rpl) ")) << "echo is not repeated";
  EXPECT_THAT(text, HasSubstr("twice\ntwo\n(rpl) \ntwo\n"));
}

TEST_F(PromptTest, PastedLinesRunOneByOne) {
  Pty pty = start();
  pty.send("\033[200~echo one\necho two\033[201~\r");
  EXPECT_TRUE(pty.wait_for("\none\ntwo\n"));
}

TEST_F(PromptTest, GreetsOnlyWhenNotToldToBeQuiet) {
  EXPECT_TRUE(shows(start(), "open TRACE"));
  EXPECT_FALSE(shows(start({"-q"}), "open TRACE"));
}

TEST_F(PromptTest, NarrowAndWideTerminalsBothWork) {
  for (const int columns : {40, 80, 200}) {
    SCOPED_TRACE(columns);
    environment = {"RPL_PAGER=cat"};
    Pty pty = start({}, columns);
    type(pty, "show");
    for (const std::string& line : pty.screen().lines()) {
      EXPECT_LE(line.size(), static_cast<std::size_t>(columns));
    }
    EXPECT_TRUE(shows(pty, "history size"));
  }
}

TEST_F(PromptTest, FollowsTheSizeOfTheWindow) {
  Pty pty = start({}, 200);
  pty.resize(60, 20);
  pty.send(std::string(100, 'x'));
  EXPECT_TRUE(pty.wait_until([](const Screen& screen) {
    const auto lines = screen.lines();
    return std::ranges::count_if(
               lines, [](const auto& line) { return line.find("xxx") != std::string::npos; }) >= 2;
  })) << pty.screen().text();
}

TEST_F(PromptTest, AsksOnceBeforeAProjectsFilesRun) {
  folder.write(".rpl/init.rpl", "echo from the project\n");
  environment = {};
  Pty::Start how;
  for (const bool first : {true, false}) {
    how.argv = {RPL_PROGRAM};
    how.env = {"XDG_STATE_HOME=" + folder / "state", "XDG_CONFIG_HOME=" + folder / "config"};
    how.cwd = folder.path();
    Result<Pty> pty = Pty::start(how);
    ASSERT_TRUE(pty.has_value());
    if (first) {
      ASSERT_TRUE(pty->wait_for("[y/N/v view] "));
      pty->send("v\r");
      ASSERT_TRUE(pty->wait_for("echo from the project"));
      ASSERT_TRUE(pty->wait_for("[y/N/v view] "));
      pty->send("y\r");
    }
    EXPECT_TRUE(pty->wait_for("(rpl) "));
    EXPECT_EQ(shows(*pty, "[y/N/v view]"), first);
  }
}

TEST_F(PromptTest, NoLineOfWhatIsToBeTrustedIsHidden) {
  folder.write(".rpl/init.rpl", "!touch MARK #\r\033[2Kecho hello\n");
  Pty pty = start({}, 80, 24, "[y/N/v view] ");
  pty.send("v\r");
  ASSERT_TRUE(pty.wait_for("!touch MARK #\\x0d\\x1b[2Kecho hello")) << pty.screen().text();
  ASSERT_TRUE(pty.wait_for("[y/N/v view] "));
  pty.send("n\r");
  EXPECT_TRUE(pty.wait_for("(rpl) "));
  EXPECT_FALSE(std::filesystem::exists(folder / "MARK"));
}

TEST_F(PromptTest, NoInitFilesWithNx) {
  folder.write(".rpl/init.rpl", "echo from the project\n");
  folder.write("config/rpl/init.rpl", "echo from home\n");
  EXPECT_FALSE(shows(start({"-nx"}), "from"));
}

TEST_F(PromptTest, RecordsWhatIsTyped) {
  Pty pty = start();
  type(pty, "record start typed.rpl");
  pty.send("define hi\r");
  ASSERT_TRUE(pty.wait_for("> "));
  pty.send("echo hi\r");
  ASSERT_TRUE(pty.wait_for("> "));
  type(pty, "end");
  type(pty, "nosuch");
  type(pty, "hi");
  type(pty, "record stop");
  EXPECT_THAT(folder.read("typed.rpl"),
              HasSubstr("define hi\necho hi\nend\n# failed (2): nosuch\nhi\n"));
}

}  // namespace
}  // namespace rpl
