// SPDX-License-Identifier: MIT
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;

class CommandsTest : public ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    Command echo;
    echo.path = "test echo-all";
    echo.summary = "Test.";
    echo.aliases = {"techo"};
    echo.fields = {{"text", Type::string, Unit::none, ""}};
    const auto add = [&](Label name, ParamKind kind, ParamType type, bool required) {
      Param param;
      param.name = name;
      param.kind = kind;
      param.type = type;
      param.required = required;
      echo.params.push_back(std::move(param));
    };
    add("word", ParamKind::positional, ParamType::string, true);
    add("top-k", ParamKind::option, ParamType::integer, false);
    add("loud", ParamKind::flag, ParamType::boolean, false);
    echo.run = [](Context&, const Arguments& given) -> Result<Document> {
      Document made;
      std::string text;
      for (const auto& [name, value] : given) text += name + "=" + as_text(value) + " ";
      made.set("text", Value(text));
      return made;
    };
    ASSERT_TRUE(context.registry().add(std::move(echo)).has_value());
  }
};

TEST_F(CommandsTest, AreFunctionsWithPositionalAndNamedArguments) {
  EXPECT_EQ(lua("rpl.cmd.test.echo_all{'a', top_k = 3, loud = true}.text"),
            "loud=true top-k=3 word=a ");
  EXPECT_EQ(lua("rpl.cmd.test.echo_all('a', {loud = false}).text"), "loud=false word=a ");
  EXPECT_EQ(lua("rpl.cmd.test.echo_all('a').text"), "word=a ");
  EXPECT_EQ(lua("rpl.cmd.techo{word = 'b'}.text"), "word=b ");
}

TEST_F(CommandsTest, CheckTheirArguments) {
  EXPECT_THAT(lua("rpl.cmd.test.echo_all{}"), HasSubstr("'test echo-all' needs"));
  EXPECT_THAT(lua("rpl.cmd.test.echo_all{'a', topk = 1}"), HasSubstr("did you mean 'top_k'?"));
  EXPECT_THAT(lua("rpl.cmd.test.echo_all{'a', top_k = 'x'}"), HasSubstr("top-k"));
  EXPECT_THAT(lua("rpl.cmd.test.echo_all('a', 'b')"), HasSubstr("takes fewer values"));
}

TEST_F(CommandsTest, AreListedAndSuggested) {
  EXPECT_THAT(lua("rpl.cmd.tset"), HasSubstr("or 'test'?"));
  EXPECT_THAT(lua("rpl.cmd.test()"), HasSubstr("rpl.cmd.test is not a command; it has echo_all"));
  EXPECT_EQ(lua("local s = '' for k in pairs(rpl.cmd.test) do s = s .. k end return s"),
            "echo_all");
  EXPECT_THAT(lua("tostring(rpl.cmd.test.echo_all)"), HasSubstr("test echo-all WORD"));
}

TEST_F(CommandsTest, ErrorsOfCommandsAreValues) {
  EXPECT_EQ(lua("select(2, pcall(rpl.cmd.test.echo_all)).code"), "usage");
}

constexpr const char* kGreet = R"(
  return rpl.command{
    path = "greet all", class = "analysis", summary = "Say hello.", help = "Says *hello*.",
    params = { {name = "who", help = "whom to greet", required = true}, {name = "times", default = 2, help = "how often"},
               {name = "loud", default = false, help = "in capitals"} },
    columns = { "greeting", {name = "length_bytes", help = "of the greeting"} },
    examples = { "greet all you" },
    run = function(args)
      local rows = {}
      for i = 1, args.times do
        local text = "hello " .. args.who
        rows[i] = {greeting = args.loud and text:upper() or text, length_bytes = #text}
      end
      return rows
    end,
  }
)";

TEST_F(CommandsTest, MadeInLuaAreEqualToBuiltInOnes) {
  ASSERT_EQ(run("source " + folder.write("greet.lua", kGreet) + " --define"), 0) << err;
  EXPECT_THAT(err, HasSubstr("'greet all' is a command now"));
  EXPECT_EQ(run("greet all you --times 1"), 0) << err;
  EXPECT_THAT(out, HasSubstr("hello you"));
  EXPECT_EQ(run("gr a you --loud/j"), 2);
  EXPECT_EQ(run("greet all/j you --loud --times 1"), 0) << err;
  EXPECT_THAT(out, HasSubstr("\"greeting\": \"HELLO YOU\""));
  EXPECT_THAT(out, HasSubstr("rpl.greet.all/1"));
  EXPECT_EQ(lua("#rpl.cmd.greet.all{'x', times = 3}.rows"), "3");
  const Command* command = context.registry().find("greet all");
  ASSERT_NE(command, nullptr);
  EXPECT_TRUE(command->is_user_defined);
  EXPECT_EQ(command->chapter, Class::analysis);
  EXPECT_EQ(command->columns[1].unit, Unit::bytes);
  EXPECT_EQ(run("greet all"), 2);
}

TEST_F(CommandsTest, AScriptThatReturnsACommandRunsItWithItsArguments) {
  EXPECT_EQ(script(kGreet, "you --times 1"), 0) << err;
  EXPECT_THAT(out, HasSubstr("hello you"));
  EXPECT_EQ(script(kGreet), 2) << "the argument is required";
}

TEST_F(CommandsTest, MadeInLuaMustKeepTheirPromise) {
  lua("rpl.command{path = 'bad', summary = 'Test.', columns = {'a'}, run = function() return {{b = "
      "1}} end}");
  EXPECT_EQ(run("bad"), 1);
  EXPECT_THAT(err, HasSubstr("has no 'b'"));
  EXPECT_THAT(lua("rpl.command{path = 'x', summary = 'S.'}"), HasSubstr("needs run"));
  EXPECT_THAT(lua("rpl.command{path = 'x', sumary = 'S.', run = print}"),
              HasSubstr("did you mean 'summary'?"));
  EXPECT_THAT(lua("rpl.command{path = 'lua', summary = 'S.', run = print}"), HasSubstr("built-in"));
}

TEST_F(CommandsTest, ErrorsInsideKeepPositionAndCode) {
  lua("rpl.command{path = 'bad', summary = 'Test.', run = function() error({code = 'undecided', "
      "message = 'no'}) end}");
  EXPECT_EQ(run("bad"), 4);
  EXPECT_EQ(lua("select(2, pcall(rpl.cmd.bad)).code"), "undecided");
}

TEST_F(CommandsTest, ListenersMayVeto) {
  lua("rpl.on('trace_opened', function(e) if #e.paths > 0 then return false, 'not today' end end)");
  EXPECT_EQ(lua("rpl.open('" + small_trace() + "')"), "error: not today");
  EXPECT_TRUE(context.workspace().traces().empty());
  EXPECT_THAT(lua("rpl.on('nonsense', print)"), HasSubstr("no event 'nonsense'"));
}

TEST_F(CommandsTest, CommandLinesRunAndEvaluate) {
  EXPECT_EQ(lua("rpl.exec('print 1 + 1')"), "$1 = 2\n0");
  EXPECT_EQ(lua("rpl.eval('print 1 + 1').value"), "2");
  EXPECT_EQ(lua("rpl.alias('hello', 'test echo-all')"), "");
  EXPECT_EQ(run("hello you"), 0) << err;
  EXPECT_THAT(out, HasSubstr("word=you"));
}

}  // namespace
}  // namespace rpl
