// SPDX-License-Identifier: MIT
#include "shell/core/run/completion.h"
#include "shell/core/session/context.h"
#include "shell/core/session/values.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using testing_support::ShellTest;

class CompletionTest : public ShellTest {
 protected:
  std::vector<std::string> after(std::string_view line) {
    return complete(context, line, line.size()).candidates;
  }
};

TEST_F(CompletionTest, GoesThroughCommandWordsLevelByLevel) {
  EXPECT_THAT(after("apr"), ElementsAre("apropos"));
  EXPECT_THAT(after("show ver"), ElementsAre("version"));
  EXPECT_THAT(after("rec"), ElementsAre("record"));
  EXPECT_THAT(after("record s"), ElementsAre("start", "stop"));
  EXPECT_THAT(after("nonsense "), IsEmpty());
}

TEST_F(CompletionTest, HidesWhatIsHidden) { EXPECT_THAT(after("main"), Not(Contains("maint"))); }

TEST_F(CompletionTest, OffersOptionsOfTheCommandAndOfAll) {
  EXPECT_THAT(after("session log --"), Contains("--limit"));
  EXPECT_THAT(after("session log --j"), ElementsAre("--json", "--jsonl"));
}

TEST_F(CompletionTest, OffersSettingsWordByWordAndTheirValues) {
  EXPECT_THAT(after("set hist"), ElementsAre("history"));
  EXPECT_THAT(after("set history "), ElementsAre("bytes", "size", "values"));
  EXPECT_THAT(after("show history s"), ElementsAre("size"));
  EXPECT_THAT(after("set color o"), ElementsAre("off", "on"));
  EXPECT_THAT(after("set pager "), ElementsAre("off", "on"));
}

TEST_F(CompletionTest, OffersCommandsWhereACommandIsMeant) {
  EXPECT_THAT(after("help show ver"), ElementsAre("version"));
  EXPECT_THAT(after("?aprop"), ElementsAre("apropos"));
  EXPECT_THAT(after("repeat apro"), ElementsAre("apropos"));
}

TEST_F(CompletionTest, OffersFilesAndFolders) {
  folder.write("typed one.rpl", "");
  folder.write("types/inner.txt", "");
  folder.write(".hidden", "");
  EXPECT_THAT(after("record start ty"), ElementsAre("typed one.rpl", "types/"));
  EXPECT_THAT(after("!cat types/"), ElementsAre("types/inner.txt"));
  EXPECT_THAT(after("echo x | cat ty"), IsEmpty()) << "it takes the whole line";
  EXPECT_THAT(after("help | cat types/i"), ElementsAre("types/inner.txt"));
  EXPECT_THAT(after("record start "), Not(Contains(".hidden")));
}

TEST_F(CompletionTest, OffersNoFileWhoseNameATerminalWouldObey) {
  folder.write("plain.db", "");
  for (const char* name : {"p\x1b[31mred.db", "p\xc2\x9b.db", "p\xe2\x80\xae.db", "p\nq.db"})
    folder.write(name, "");
  EXPECT_THAT(after("open p"), testing::ElementsAre("plain.db"));
}

TEST_F(CompletionTest, OffersVariables) {
  context.values().set("limit", Value(3));
  EXPECT_THAT(after("session log --limit $l"), ElementsAre("$limit"));
  EXPECT_THAT(after("=$l"), ElementsAre("$limit"));
}

TEST_F(CompletionTest, StartsBehindAnOpeningQuote) {
  folder.write("typed one.rpl", "");
  const std::string line = "record start 'typed o";
  const Completions found = complete(context, line, line.size());
  EXPECT_THAT(found.candidates, ElementsAre("typed one.rpl"));
  EXPECT_EQ(found.start, line.find('\'') + 1);
}

TEST_F(CompletionTest, LooksAtTheLineUpToTheCursorOnly) {
  const Completions found = complete(context, "show vxyz", 6);
  EXPECT_THAT(found.candidates, ElementsAre("values", "version"));
  EXPECT_EQ(found.start, 5U);
}

TEST_F(CompletionTest, IsACommandToo) {
  EXPECT_EQ(shown("complete show v"), "line\nshow values\nshow version\n(2 rows)\n");
}

}  // namespace
}  // namespace rpl
