// SPDX-License-Identifier: MIT
// Mistakes of newcomers: each message says what to do.
#include "shell/lua/error_lua.h"

#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing_support::ScriptTest;

class HintsTest : public ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    run("open " + small_trace());
  }
};

TEST_F(HintsTest, NamesOfFieldsAreSuggestedOnce) {
  EXPECT_EQ(lua("print(rpl.trace.dispatches[1].duration)"),
            "error: rpl.Dispatch has no 'duration'; did you mean 'duration_ns'?");
  EXPECT_EQ(lua("print(rpl.cmd.critpth())"),
            "error: rpl.cmd has no 'critpth'; did you mean 'critpath'?");
  // As files and tools spell it.
  EXPECT_EQ(lua("rpl.cmd.info_kernls"),
            "error: rpl.cmd has no 'info_kernls'; did you mean 'rpl.cmd.info.kernels'?");
  EXPECT_THAT(lua("rpl.cmd.zzzzzzzzzzz"), testing::MatchesRegex(".*it has .* and [0-9]+ more"));
  EXPECT_EQ(lua("print(rpl.trace.kernels[1].totalns)"),
            "error: rpl.Kernel has no 'totalns'; did you mean 'total_ns'?");
}

TEST_F(HintsTest, WhatIsNotOpenOrSelectedIsNil) {
  EXPECT_EQ(lua("print(rpl.capture.kernel)"),
            "error: attempt to index a nil value (field 'capture'); no capture is open: "
            "rpl.open(folder), or 'capture run' makes one");
  EXPECT_THAT(lua("print(rpl.kernel.name)"), HasSubstr("rpl.kernel is nil while none is selected"));
  EXPECT_THAT(lua("rpl.trace:close() print(rpl.trace.id)"),
              HasSubstr("no trace is open: rpl.open(path)"));
  EXPECT_EQ(lua("rpl.use()"),
            "error: no trace is open; name a recording as the first argument, or open one before: "
            "open FILE");
}

TEST_F(HintsTest, NilFromListsAndColumns) {
  EXPECT_THAT(lua("print(rpl.trace.kernels[99].total_ns)"),
              EndsWith("the list has no element of that number; #list says how many there are"));
  EXPECT_THAT(lua("local r = rpl.table({{a = 1}, {}}, {'a'}).rows print(r[2].a / 2)"),
              EndsWith("a column without value is nil: test it, or assume '(x or 0)'"));
  EXPECT_THAT(lua("print(nil < 2)"), HasSubstr("a column without value is nil"));
  EXPECT_THAT(lua("local x = {} x.go()"), HasSubstr("there is no function of that name"));
}

TEST_F(HintsTest, ObjectsAreNeitherNumbersNorText) {
  EXPECT_THAT(lua("print(rpl.trace.dispatches[1] + 1)"),
              EndsWith("name the field, as in d.duration_ns"));
  EXPECT_THAT(lua("print('a' .. rpl.trace)"), EndsWith("'tostring(x)' makes text of an object"));
  EXPECT_THAT(lua("print(rpl.trace.dispatches.count())"),
              EndsWith("methods are called with a colon: object:method()"));
  EXPECT_THAT(lua("for d in rpl.trace.dispatches do print(d) end"),
              HasSubstr("collections are walked with ipairs(x)"));
}

TEST_F(HintsTest, WordsOfLuaHaveAnUnderscoreBehindThem) {
  EXPECT_THAT(lua("rpl.cmd.until{}"), EndsWith("'until' is a word of Lua; as the name of a command "
                                               "it has an underscore behind it: rpl.cmd.until_"));
  EXPECT_EQ(hint_for_lua_error("<name> expected near '5'"), "");
}

TEST_F(HintsTest, ErrorsAndResultsThatSayNothing) {
  EXPECT_THAT(lua("error{msg = 'm'}"), HasSubstr("a table without 'message'"));
  EXPECT_EQ(lua("return rpl.result{rows = {}, colums = {'a'}}"),
            "error: rpl.result has no 'colums'; did you mean 'columns'?");
  EXPECT_THAT(lua("return rpl.result{rows = {}, provenance = 'guessed'}"),
              HasSubstr("one of: measured, modelled"));
  EXPECT_EQ(lua("print(rpl.result{record = {x = 1}, provenance = 'modelled'}.provenance)"),
            "modelled");
  EXPECT_EQ(lua("error('my own')"), "error: my own") << "what a script says itself stays as it is";
}

TEST_F(HintsTest, UseOpensOrTakesTheCurrentTrace) {
  EXPECT_EQ(lua("print(rpl.use().id)"), "t1");
  EXPECT_EQ(lua("do local t <close> = rpl.use('" + small_trace() +
                "') print(t.id, #rpl.traces) end print(#rpl.traces)"),
            "t2\t2\n1");
  EXPECT_THAT(lua("rpl.use('" RPL_EXAMPLES_DIR "/captures/softmax')"),
              HasSubstr("is not a recording of dispatches"));
}

TEST_F(HintsTest, UnitsAreTakenAsDocumentsSpellThem) {
  EXPECT_EQ(lua("print(rpl.table({{x = 0.5}}, {{name = 'x', unit = 'fraction'}}):render('csv'))"),
            "x\n0.5");
}

}  // namespace
}  // namespace rpl
