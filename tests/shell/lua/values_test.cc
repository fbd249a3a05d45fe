// SPDX-License-Identifier: MIT
#include "engine/document/json.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;

class ValuesTest : public ScriptTest {};

TEST_F(ValuesTest, JsonGoesThereAndBack) {
  EXPECT_EQ(lua("rpl.json.encode{b = 1, a = {1, 2.5, 'x', true}}"),
            R"({"a": [1, 2.5, "x", true], "b": 1})");
  EXPECT_EQ(lua("rpl.json.encode(rpl.json.decode('{\"x\":[null,1e3,-0.5,\"\\\\u00e9\"]}'))"),
            "{\"x\": [null, 1000.0, -0.5, \"\xC3\xA9\"]}");
  EXPECT_EQ(lua("rpl.json.decode('[null]')[1] == rpl.json.null"), "true");
  EXPECT_THAT(lua("rpl.json.decode('{')"), HasSubstr("bad JSON in line 1, column 2"));
}

TEST_F(ValuesTest, RefusesWhatIsNoValue) {
  EXPECT_THAT(lua("rpl.json.encode{1, a = 2}"), HasSubstr("mixes names and positions"));
  EXPECT_THAT(lua("rpl.json.encode{f = print}"), HasSubstr("f: a function is not a value"));
  EXPECT_THAT(lua("do local t = {} t.t = t return rpl.json.encode(t) end"),
              HasSubstr("contains itself"));
}

TEST_F(ValuesTest, TablesOfTablesShowAsTables) {
  EXPECT_EQ(
      lua("rpl.table({{kernel='gemm', calls=2}, {kernel='copy', calls=1}}, {'kernel', 'calls'})"),
      "kernel  calls\ngemm        2\ncopy        1\n(2 rows)");
  EXPECT_THAT(lua("rpl.table({{a=1, b=2}}, {'a'})"), HasSubstr("has no 'b'"));
  EXPECT_THAT(lua("rpl.table({{1, 2}}, {'a'})"), HasSubstr("row 1 has 2 values for 1 columns"));
}

TEST_F(ValuesTest, ResultsCarryNotesAndExitCodes) {
  EXPECT_EQ(script("return rpl.result{record = {ok = false}, notes = {'late'}, exit_code = 3}"), 3);
  EXPECT_EQ(err, "note: late\n");
  EXPECT_EQ(lua("rpl.result{record = {b = 1, a = 2}, fields = {'b', 'a'}}"), "b  1\na  2");
}

TEST_F(ValuesTest, SettingsAreReadAndSet) {
  EXPECT_EQ(lua("rpl.param.set('rows', 7)"), "");
  EXPECT_EQ(lua("rpl.param.get('rows')"), "7");
  EXPECT_THAT(lua("rpl.param.set('rows', -1)"), HasSubstr("0 or more"));
  EXPECT_THAT(lua("rpl.param.get('rws')"), HasSubstr("did you mean 'rows'?"));
}

TEST_F(ValuesTest, PrintWritesWhereResultsGo) {
  EXPECT_EQ(lua("print('a', 1, nil)"), "a\t1\tnil");
  EXPECT_EQ(lua("rpl.ui.print('%05.1f|%s', 3.14159, 'x')"), "003.1|x");
  console.default_format = Format::json;
  run("lua print('progress')");
  EXPECT_THAT(out, testing::Not(HasSubstr("progress")));
  EXPECT_EQ(err, "progress\n");
}

TEST_F(ValuesTest, TheModuleNamesWhatItLacks) {
  EXPECT_THAT(lua("rpl.trac"), HasSubstr("rpl has no 'trac'; did you mean 'trace'"));
  EXPECT_THAT(lua("rpl.trace = 3"), HasSubstr("read-only"));
  EXPECT_EQ(lua("rpl.trace"), "nil");
}

TEST(JsonParse, TakesJsonAndNothingElse) {
  for (const char* good :
       {"0", "-1.5e-3", "[]", "{}", " [1, 2] ", "\"\\ud83d\\ude00\"", "9223372036854775807"}) {
    EXPECT_TRUE(parse_json(good).has_value()) << good;
  }
  for (const char* bad : {"", "01", "+1", ".5", "1.", "[1,]", "{\"a\":}", "nul", "\"\\x\"",
                          "\"\\ud800\"", "1 2", "\"\n\"", "{a:1}", "[", "'a'", "1e999"}) {
    EXPECT_FALSE(parse_json(bad).has_value()) << bad;
  }
  EXPECT_FALSE(parse_json(std::string(100'000, '[')).has_value());
  EXPECT_EQ(to_json(*parse_json("{\"b\":1,\"a\":2.0}")), R"({"b": 1, "a": 2.0})");
}

}  // namespace
}  // namespace rpl
