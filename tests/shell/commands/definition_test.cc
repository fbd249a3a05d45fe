// SPDX-License-Identifier: MIT
#include "engine/base/text.h"
#include "shell/core/session/context.h"
#include "shell/core/session/script_lines.h"
#include "shell/core/session/user_commands.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::ShellTest;

class DefinitionTest : public ShellTest {};

TEST_F(DefinitionTest, RunsItsBodyWithArguments) {
  ASSERT_EQ(define("define hi", {"echo $arg0 and $arg1, $argc in all: $argn", "end"}), 0);
  EXPECT_EQ(shown("hi 'one word' two"), "one word and two, 2 in all: 'one word' two\n");
}

TEST_F(DefinitionTest, LeavesOtherWordsWithDollarsAlone) {
  const std::vector<std::string> words{"x"};
  EXPECT_EQ(*substitute_arguments("$argument $args $arg $arg0", words, "x"),
            "$argument $args $arg x");
  EXPECT_FALSE(substitute_arguments("$arg1", words, "x"));
}

TEST_F(DefinitionTest, NamesAnArgumentThatIsMissing) {
  ASSERT_EQ(define("define hi", {"echo $arg0", "end"}), 0);
  EXPECT_EQ(run("hi"), 2);
  EXPECT_THAT(err, HasSubstr("$arg0 is missing"));
}

TEST_F(DefinitionTest, TakesNestedDefinitionsWhole) {
  ASSERT_EQ(define("define outer", {"define inner", "echo in", "end", "inner", "end"}), 0);
  EXPECT_EQ(shown("outer"), "in\n");
  EXPECT_EQ(shown("inner"), "in\n");
}

TEST_F(DefinitionTest, StopsAtTheFirstLineThatFails) {
  ASSERT_EQ(define("define bad", {"echo one", "nosuch", "echo two", "end"}), 0);
  EXPECT_EQ(run("bad"), 2);
  EXPECT_EQ(out, "one\n");
}

TEST_F(DefinitionTest, RefusesBuiltInNamesAndBodiesWithoutEnd) {
  EXPECT_EQ(define("define help", {"end"}), 1);
  EXPECT_THAT(err, HasSubstr("built-in"));
  EXPECT_EQ(define("define a.b", {"end"}), 2);
  EXPECT_EQ(define("define hi", {"echo"}), 2);
  EXPECT_THAT(err, HasSubstr("no 'end'"));
}

TEST_F(DefinitionTest, EndsEndlessRecursion) {
  ASSERT_EQ(define("define loop", {"loop", "end"}), 0);
  EXPECT_EQ(run("loop"), 1);
  EXPECT_THAT(err, HasSubstr("nested 64 deep"));
}

TEST_F(DefinitionTest, MayRedefineItselfWhileItRuns) {
  ASSERT_EQ(define("define hi", {"define hi --line 'echo new'", "echo old", "end"}), 0);
  EXPECT_EQ(shown("hi"), "old\n");
  EXPECT_EQ(shown("hi"), "new\n");
}

TEST_F(DefinitionTest, IsDocumentedAndListed) {
  ASSERT_EQ(define("define hi", {"echo hi", "end"}), 0);
  ASSERT_EQ(define("document hi", {"Greet the world.", "At length.", "end"}), 0);
  EXPECT_THAT(shown("help user"), HasSubstr("Greet the world."));
  EXPECT_THAT(shown("help hi"), HasSubstr("At length."));
  EXPECT_THAT(shown("show user/l hi"), HasSubstr("\"echo hi\""));
}

TEST_F(DefinitionTest, HooksRunBeforeAndBehindTheirCommand) {
  ASSERT_EQ(define("define hook-show-version", {"echo before", "end"}), 0);
  ASSERT_EQ(define("define hookpost-show-version", {"echo behind", "show version /q", "end"}), 0);
  EXPECT_THAT(shown("show version /q"),
              testing::MatchesRegex("before\n[0-9.]+\nbehind\nbefore\n[0-9.]+\n"));
}

TEST_F(DefinitionTest, AHookThatFailsKeepsTheCommandFromRunning) {
  ASSERT_EQ(define("define hook-echo", {"nosuch", "end"}), 0);
  EXPECT_EQ(run("echo hi"), 2);
  EXPECT_EQ(out, "");
}

TEST_F(DefinitionTest, ALaterLineMayCommentAfterAFailure) {
  EXPECT_EQ(run("nosuch"), 2);
  EXPECT_EQ(run_lines(context.face(), {"# a comment", "", "echo on"}), 0);
}

TEST_F(DefinitionTest, AliasesStandForWords) {
  EXPECT_EQ(shown("alias ver = show version"), "");
  EXPECT_EQ(shown("ver /q"), shown("show version /q"));
  EXPECT_EQ(run("alias x = nosuch"), 2);
  EXPECT_THAT(shown("alias"), HasSubstr("show version"));
}

TEST_F(DefinitionTest, SplitsTextIntoLines) {
  EXPECT_THAT(split_lines("a\r\n\nb"), ElementsAre("a", "", "b"));
}

}  // namespace
}  // namespace rpl
