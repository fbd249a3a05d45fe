// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/stat.h>

#include "shell/commands/report/report.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/init_files.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/history_file.h"
#include "shell/core/session/session_log.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::ShellTest;

class SupportTest : public ShellTest {};

TEST_F(SupportTest, HelpComesFromTheDefinitions) {
  EXPECT_THAT(shown("help"), HasSubstr("support"));
  EXPECT_THAT(shown("help support"), HasSubstr("apropos"));
  EXPECT_THAT(shown("help record"), HasSubstr("record start"));
  EXPECT_THAT(shown("help session log"), HasSubstr("--limit"));
  EXPECT_THAT(shown("help/l session log"), HasSubstr("\"kind\": \"column\""));
  EXPECT_EQ(run("help nosuch"), 2);
}

TEST_F(SupportTest, EveryListedCommandHasAHelpPageAndAnExample) {
  for (const auto& [path, command] : context.registry().all()) {
    SCOPED_TRACE(path);
    EXPECT_FALSE(command->help.empty());
    EXPECT_LE(command->summary.size(), 70U);
    EXPECT_TRUE(command->summary.ends_with('.'));
    EXPECT_THAT(shown("help " + path), HasSubstr(command->usage()));
    EXPECT_FALSE(command->examples.empty());
  }
}

TEST_F(SupportTest, AproposFindsCommandsAndSettings) {
  EXPECT_THAT(shown("apropos/c HISTORY"), HasSubstr("setting,history size"));
  EXPECT_THAT(shown("apropos/c history"), HasSubstr("command,show commands"));
}

TEST_F(SupportTest, SetChangesWhatShowShows) {
  EXPECT_EQ(shown("set width 120"), "");
  EXPECT_EQ(shown("show/q width"), "120\n");
  EXPECT_EQ(shown("set history size 10"), "");
  EXPECT_EQ(shown("show/q history size"), "10\n");
  EXPECT_EQ(shown("set pager off"), "");
  EXPECT_EQ(shown("set pager"), "");
  EXPECT_EQ(shown("show/q pager"), "on\n");
  EXPECT_EQ(shown("set"), shown("show"));
}

TEST_F(SupportTest, SetSaysWhatASettingTakes) {
  EXPECT_EQ(run("set color maybe"), 2);
  EXPECT_THAT(err, HasSubstr("auto, on, off"));
  EXPECT_EQ(run("set widht 3"), 2);
  EXPECT_THAT(err, HasSubstr("did you mean 'width'?"));
  EXPECT_EQ(run("set width"), 2);
}

TEST_F(SupportTest, ShowResolvesAbbreviatedSubcommands) {
  EXPECT_EQ(shown("show/q vers"), shown("show version /q"));
}

TEST_F(SupportTest, RepeatRunsTheLineWithItsOwnOptions) {
  EXPECT_EQ(shown("repeat echo a  b --every 0 --count 2"), "a  b\na  b\n");
  EXPECT_EQ(run("repeat echo a"), 2);
  EXPECT_EQ(run("repeat echo a --every x"), 2);
  EXPECT_EQ(run("repeat nosuch --every 0"), 2) << "a failure ends it";
}

TEST_F(SupportTest, WhatRunsItselfEnds) {
  folder.write("self.rpl", "source self.rpl\n");
  EXPECT_NE(run("source self.rpl"), 0);
  EXPECT_THAT(err, HasSubstr("nested 200 deep"));
  std::string line = "echo x";
  for (int i = 0; i < 20'000; ++i) line.insert(0, "with rows 1 -- ");
  EXPECT_NE(run(line), 0);
  EXPECT_THAT(err, HasSubstr("nested 200 deep"));
  EXPECT_EQ(run("with rows 1 -- with rows 2 -- echo x"), 0) << "and is forgotten afterwards";
}

TEST_F(SupportTest, ATextWithANulIsTakenForNoOther) {
  folder.write("k.hip", "__global__ void k(float* x) { x[0] = 1; }\n");
  EXPECT_EQ(run(std::string("prompt k.hip\0../secret", 22)), 2);
  EXPECT_THAT(err, HasSubstr("NUL character"));
}

/// In time linear in the text: in that of its square this would take minutes.
TEST_F(SupportTest, ReportsTakeNamesOfAnyLength) {
  const std::string name(4'000'000, 'x');
  EXPECT_EQ(without_folders(name), name);
  EXPECT_EQ(without_folders("in /home/me/k.hip, '/tmp/a/', a/b and x>/c/d"),
            "in k.hip, 'a', a/b and x>d");
}

TEST_F(SupportTest, NobodyTrustsMoreThanSomebodyReads) {
  std::string script;
  for (int i = 0; i < 1001; ++i) {
    const std::string name = fmt::format("s{}.rpl", i);
    folder.write(name, "echo\n");
    script += fmt::format("source {}\n", name);
  }
  const std::string file = folder.write("many.rpl", script);
  EXPECT_EQ(run("trust many.rpl"), 1);
  EXPECT_THAT(err, HasSubstr("too much to be trusted"));
  EXPECT_FALSE(TrustStore::standard().trusts(file, script));
}

TEST_F(SupportTest, ShellGivesTheStatusOfWhatItRan) { EXPECT_EQ(run("!exit 7"), 7); }

TEST_F(SupportTest, QuitTakesAStatus) {
  EXPECT_EQ(run("q 5"), 5);
  EXPECT_TRUE(context.face().leaving());
  EXPECT_EQ(run("quit 300"), 2);
}

TEST_F(SupportTest, RecordWritesWhatReplays) {
  shown("record start typed.rpl");
  for (const auto& [line, status] : {std::pair{"echo a", 0}, std::pair{"nosuch", 2}}) {
    context.log().recorder().read(line);
    ASSERT_TRUE(context.log().recorder().ran(status));
  }
  EXPECT_THAT(shown("record stop /v"), HasSubstr("1"));
  EXPECT_THAT(folder.read("typed.rpl"), HasSubstr("\necho a\n# failed (2): nosuch\n"));
  EXPECT_EQ(run("record start typed.rpl"), 1) << "an existing file is kept";
  EXPECT_EQ(run("record stop"), 2);
}

TEST_F(SupportTest, HistoryIsPrivateAndKeepsItsEnd) {
  const HistoryFile history = HistoryFile::standard();
  EXPECT_THAT(*history.load(), IsEmpty());
  for (int i = 0; i < 13; ++i) ASSERT_TRUE(history.append("line " + std::to_string(i)));
  struct stat status = {};
  ASSERT_EQ(stat(history.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  ASSERT_TRUE(history.trim(11));
  EXPECT_EQ(history.load()->size(), 13U) << "a quarter more than wanted is left";
  ASSERT_TRUE(history.trim(2));
  EXPECT_THAT(*history.load(), ElementsAre("line 11", "line 12"));
  EXPECT_THAT(shown("history /l"), HasSubstr("line 12"));
}

TEST_F(SupportTest, TrustIsAboutPathAndContent) {
  const std::string file = folder.write(".rpl/init.rpl", "echo a");
  const TrustStore store = TrustStore::standard();
  EXPECT_FALSE(store.trusts(file, "echo a"));
  shown("trust");
  EXPECT_TRUE(store.trusts(".rpl/init.rpl", "echo a")) << "whatever way the path is written";
  EXPECT_FALSE(store.trusts(file, "echo b"));
  EXPECT_FALSE(store.trusts(file + "2", "echo a"));
  EXPECT_EQ(run("trust nosuch.rpl"), 1);
}

// What is written between the question and the answer was shown to nobody.
TEST_F(SupportTest, WhatIsTrustedIsWhatWasShown) {
  folder.write(".rpl/init.rpl", "source more.rpl");
  const std::string more = folder.write("more.rpl", "echo shown");
  const auto ask = [&](const TerminalText& question) -> std::optional<std::string> {
    EXPECT_THAT(std::string(question.bytes()), HasSubstr("more.rpl"));
    folder.write("more.rpl", "echo swapped");
    return "y";
  };
  run_init_files(context, ask, [](OutputBytes) { return Status(); });
  const TrustStore store = TrustStore::standard();
  EXPECT_TRUE(store.trusts(more, "echo shown"));
  EXPECT_FALSE(store.trusts(more, "echo swapped"));
}

}  // namespace
}  // namespace rpl
