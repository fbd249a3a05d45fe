// SPDX-License-Identifier: MIT
#include "tests/golden/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::golden {
namespace {

TEST(Transcript, ReadsCommandsAnswersAndStatus) {
  const Transcript t = parse("# why\n$ a b\nout\nerr: bad\n? 2\n\n(rpl) c\n! ls\nx\n");
  ASSERT_EQ(t.steps.size(), 3U);
  EXPECT_THAT(t.steps[0].comments, testing::ElementsAre("# why"));
  EXPECT_EQ(t.steps[0].command, "a b");
  EXPECT_EQ(t.steps[0].answer.out, "out\n");
  EXPECT_EQ(t.steps[0].answer.err, "bad\n");
  EXPECT_EQ(t.steps[0].answer.status, 2);
  EXPECT_EQ(t.steps[1].speaker, Speaker::prompt);
  EXPECT_EQ(t.steps[1].answer.out, "");
  EXPECT_EQ(t.steps[2].speaker, Speaker::host);
}

TEST(Transcript, AnyOutputSurvivesWritingAndReading) {
  for (const char* text :
       {"", "\n", "\n\n", "plain\n", "no end", "\\x\n", "# title\n", "$ 5\n", "(rpl) x\n",
        "err: x\n", "err:\n", "? 1\n", "! x\n", "a\n\nb\n\n", "\\no newline\n", "? x\n"}) {
    Transcript t;
    t.steps.push_back({{"# first"}, Speaker::command_line, "x", {text, text, 1}});
    t.steps.push_back({{}, Speaker::prompt, "y", {text, "", 0}});
    const Transcript again = parse(render(t));
    ASSERT_EQ(again.steps.size(), 2U) << text;
    EXPECT_EQ(again.steps[0].answer.out, text);
    EXPECT_EQ(again.steps[0].answer.err, text);
    EXPECT_EQ(again.steps[1].answer.out, text);
    EXPECT_EQ(render(again), render(t));
  }
}

TEST(Transcript, NamesItsFixtures) {
  const Transcript t = parse(
      "# fixture a.db: --dispatches 5\n# shared b.db: rocpd/b.db\n# file s.lua:\n#| one\n#|\n#| "
      "two\n# kept old: before\n$ x\n");
  const auto found = fixtures(t);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 4U);
  EXPECT_EQ((*found)[0].name, "a.db");
  EXPECT_EQ((*found)[0].recipe, "--dispatches 5");
  EXPECT_EQ((*found)[1].kind, Fixture::Kind::shared);
  EXPECT_EQ((*found)[2].recipe, "one\n\ntwo\n");
  EXPECT_EQ((*found)[3].kind, Fixture::Kind::kept);
}

TEST(Transcript, RefusesAFixtureWithoutAName) {
  EXPECT_FALSE(fixtures(parse("# fixture --dispatches 5\n$ x\n")).has_value());
}

}  // namespace
}  // namespace rpl::golden
