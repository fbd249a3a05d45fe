// SPDX-License-Identifier: MIT
#include "tests/golden/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::golden {
namespace {

/// What comes of playing `commands` against the stub, as a transcript.
std::string played(std::string_view commands) {
  const auto result = play(parse(commands), {{RPL_STUB_DIR}, "/no/such/data"});
  return result ? render(*result) : std::string(to_string(result.error().code));
}

TEST(Player, RunsCommandLinesAsAShellWould) {
  EXPECT_EQ(played("$ info 'a b' \"$HOME\" | head -n 2\n"),
            "$ info 'a b' \"$HOME\" | head -n 2\n[info]\n[a b]\n");
}

TEST(Player, RecordsErrorsAndStatus) {
  EXPECT_EQ(played("$ fail\n"), "$ fail\n[fail]\nerr: error: asked to\n? 3\n");
}

TEST(Player, RunsNeighbouringPromptCommandsInOneSession) {
  EXPECT_EQ(played("(rpl) a\n(rpl) wrong\n(rpl) b\n"),
            "(rpl) a\n1 a\n\n(rpl) wrong\n2 wrong\nerr: error: wrong\n\n(rpl) b\n3 b\n");
}

TEST(Player, StartsAnotherSessionAfterAComment) {
  EXPECT_EQ(played("(rpl) a\n# afresh\n(rpl) b\n"), "(rpl) a\n1 a\n\n# afresh\n(rpl) b\n1 b\n");
}

TEST(Player, GivesTheStatusOfASessionToItsLastCommand) {
  EXPECT_EQ(played("(rpl) quit\n(rpl) b\n"), "(rpl) quit\n\n(rpl) b\n? 4\n");
}

TEST(Player, MakesFixturesInAFreshFolderWhosePathItHides) {
  EXPECT_EQ(
      played("# fixture a.db: --queues 2\n# file t.txt:\n#| text\n! cat *; pwd\n"),
      "# fixture a.db: --queues 2\n# file t.txt:\n#| text\n! cat *; pwd\n--queues 2\ntext\nDIR\n");
}

TEST(Player, SaysWhenRealDataIsMissing) {
  EXPECT_EQ(played("# shared a.db: a.db\n$ x\n"), "missing_capability");
}

}  // namespace
}  // namespace rpl::golden
