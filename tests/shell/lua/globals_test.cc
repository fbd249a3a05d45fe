// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;

class GlobalsTest : public ScriptTest {};

TEST_F(GlobalsTest, ReadingAnUndefinedOneIsAnErrorThatSuggests) {
  EXPECT_EQ(lua("return prnt"), "error: the global 'prnt' is not defined; did you mean 'print'?");
  EXPECT_EQ(script("local x = coutner"), 1);
  EXPECT_THAT(err, HasSubstr("script.lua:1: the global 'coutner' is not defined"));
}

TEST_F(GlobalsTest, AreAssignedAtThePromptOnly) {
  EXPECT_EQ(lua("x = 41"), "");
  EXPECT_EQ(lua("x = x + 1"), "");
  EXPECT_EQ(lua("x"), "42");
  EXPECT_EQ(lua("function twice(n) return 2 * n end"), "");
  EXPECT_EQ(lua("twice(x)"), "84");
  EXPECT_EQ(script("return twice(x)"), 0) << err;
  EXPECT_EQ(out, "84\n");
  EXPECT_EQ(script("y = 1"), 1);
  EXPECT_THAT(err, HasSubstr("a script may not make the global 'y'; write 'local y'"));
  EXPECT_EQ(script("_G.y = 1"), 1);
}

TEST_F(GlobalsTest, ThePromptKeepsVariablesOfTheShell) {
  EXPECT_EQ(lua("$limit = 3"), "");
  EXPECT_EQ(lua("$limit * 2"), "6");
  EXPECT_EQ(lua("'$limit'"), "$limit");
  EXPECT_THAT(lua("$nothing"), HasSubstr("no variable $nothing"));
}

TEST_F(GlobalsTest, ResultsAreValuesOfTheHistory) {
  run("print 6 * 7");
  EXPECT_EQ(lua("$1.value"), "42");
  EXPECT_EQ(lua("$.value + #rpl.values"), "43");
  EXPECT_THAT(lua("$9"), HasSubstr("no value $9"));
  EXPECT_EQ(lua("$1 + 1 .. ' ' .. -$1 .. ' ' .. $1 / $1 .. ' ' .. tostring(1 < $1)"),
            "43 -42 1.0 true");
  EXPECT_EQ(lua("'got ' .. $1"), "got 42");
  run("show width");
  EXPECT_THAT(lua("$ + 1"), HasSubstr("a result is not a single value"));
}

TEST_F(GlobalsTest, PrintOutputAndPrintf) {
  run("print 'a' .. 1");
  EXPECT_EQ(out, "$1 = a1\n");
  run("output {1, 2}");
  EXPECT_EQ(out, "value\n    1\n    2\n(2 rows)\n");
  EXPECT_EQ(context.values().last(), 1U) << "output keeps nothing";
  run("printf \"%d%% of %s\", 50, 'x'");
  EXPECT_EQ(out, "50% of x\n");
  EXPECT_EQ(run("print x ="), 1);
  EXPECT_EQ(run("= 2 ^ 10"), 0);
  EXPECT_EQ(out, "$2 = 1024.0\n");
}

TEST_F(GlobalsTest, JsonOfAValueIsADocument) {
  console.default_format = Format::json;
  run("print {a = 1}");
  EXPECT_THAT(out, HasSubstr("\"a\": 1"));
  run("print 3");
  EXPECT_THAT(out, HasSubstr("\"value\": 3"));
}

TEST_F(GlobalsTest, ScriptsFindModulesBesideThem) {
  folder.write("helper_mod.lua", "return {answer = 42}");
  EXPECT_EQ(script("return require('helper_mod').answer"), 0) << err;
  EXPECT_EQ(out, "42\n");
  EXPECT_EQ(script("return rpl == require('rpl')"), 0);
  EXPECT_EQ(out, "true\n");
}

TEST_F(GlobalsTest, ScriptsGetTheirArguments) {
  EXPECT_EQ(script("return table.concat(rpl.args, '|')", "a 'b c' --top 3"), 0) << err;
  EXPECT_EQ(out, "a|b c|--top|3\n");
}

TEST_F(GlobalsTest, ExitEndsScriptAndProgramEvenInsidePcall) {
  EXPECT_EQ(script("while true do pcall(rpl.exit, 3) end"), 3);
  EXPECT_TRUE(context.face().leaving());
  EXPECT_EQ(err, "");
}

TEST_F(GlobalsTest, SourceRunsCommandFilesUpToTheFirstFailure) {
  const std::string path = folder.write("a.rpl", "print 1\n# comment\nprint nope\nprint 2\n");
  EXPECT_EQ(run("source " + path), 1);
  EXPECT_EQ(out, "$1 = 1\n");
  EXPECT_THAT(err, HasSubstr("a.rpl:3: stopped here"));
}

TEST_F(GlobalsTest, MissingScriptsAreNamed) {
  EXPECT_EQ(run("source nowhere.lua"), 1);
  EXPECT_THAT(err, HasSubstr("nowhere.lua: no such file"));
}

}  // namespace
}  // namespace rpl
