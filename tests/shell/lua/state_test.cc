// SPDX-License-Identifier: MIT
#include "shell/lua/state.h"

#include <lua.hpp>

#include "shell/lua/bind.h"
#include "shell/lua/interrupt.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

/// Counts its own destructions.
struct Witness {
  int* destroyed;
  ~Witness() { ++*destroyed; }
};

int destroyed = 0;

void fail_in_lua(lua_State* thread) {
  const Witness witness{&destroyed};
  raise_error(thread, {Errc::not_found, "nothing", "look"});
}
void fail_in_cpp(lua_State*) {
  const Witness witness{&destroyed};
  throw std::runtime_error("broken");
}
Result<std::int64_t> add(std::int64_t a, std::optional<std::int64_t> b) {
  if (a < 0) return fail(Errc::usage, "negative", "give a positive number");
  return a + b.value_or(1);
}
std::uint64_t huge() { return ~std::uint64_t{0}; }
std::uint8_t byte(std::uint8_t value) { return value; }

class StateTest : public testing::Test {
 protected:
  void SetUp() override {
    bind("fail_in_lua", thunk<&fail_in_lua>);
    bind("fail_in_cpp", thunk<&fail_in_cpp>);
    bind("add", thunk<&add>);
    bind("huge", thunk<&huge>);
    bind("byte", thunk<&byte>);
  }
  void bind(const char* name, lua_CFunction function) {
    lua_State* thread = state.thread();
    lua_pushglobaltable(thread);
    lua_pushstring(thread, name);
    lua_pushcfunction(thread, function);
    lua_rawset(thread, -3);
    lua_pop(thread, 1);
  }
  Status run(std::string_view code) {
    TRY(state.load(code, "=(lua)", ChunkScope::prompt));
    return state.call(0, 0);
  }
  /// What an expression gives, as text, or the error's message.
  std::string eval(std::string_view expression) {
    const auto loaded =
        state.load("return " + std::string(expression), "=(lua)", ChunkScope::prompt);
    if (!loaded) return loaded.error().message;
    if (auto status = state.call(0, 1); !status) return status.error().message;
    std::string text = luaL_tolstring(state.thread(), -1, nullptr);
    lua_pop(state.thread(), 2);
    return text;
  }
  State state{nullptr};
};

TEST_F(StateTest, ErrorsRunDestructors) {
  destroyed = 0;
  EXPECT_FALSE(run("fail_in_lua()").has_value());
  EXPECT_FALSE(run("fail_in_cpp()").has_value());
  EXPECT_EQ(run("for i = 1, 10 do pcall(fail_in_lua) end").has_value(), true);
  EXPECT_EQ(destroyed, 12);
}

TEST_F(StateTest, ExceptionsBecomeInternalErrors) {
  const auto status = run("fail_in_cpp()");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::internal);
  EXPECT_EQ(status.error().message, "broken");
}

TEST_F(StateTest, ErrorsAreValuesWithCodeMessageAndHint) {
  EXPECT_EQ(eval("select(2, pcall(add, -1)).code"), "usage");
  EXPECT_EQ(eval("select(2, pcall(add, -1)).message"), "negative");
  EXPECT_EQ(eval("select(2, pcall(add, -1)).hint"), "give a positive number");
  EXPECT_EQ(eval("tostring(select(2, pcall(add, -1)))"), "negative (give a positive number)");
}

TEST_F(StateTest, KeepsTheCodeOfAnErrorThatPassesThrough) {
  const auto status = run("local ok, e = pcall(fail_in_lua) error(e)");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::not_found);
  EXPECT_EQ(status.error().hint, "look");
}

TEST_F(StateTest, ErrorTablesCarryCodeAndHint) {
  const auto status = run("error({code = 'denied', message = 'no', hint = 'ask'})");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::denied);
  EXPECT_EQ(status.error().message, "no");
}

TEST_F(StateTest, ChecksArgumentsInOrder) {
  EXPECT_EQ(eval("add(1)"), "2");
  EXPECT_EQ(eval("add(1, 5)"), "6");
  EXPECT_THAT(eval("add('x', 'y')"), HasSubstr("bad argument #1"));
  EXPECT_THAT(eval("add(1.5)"), HasSubstr("integer"));
  EXPECT_THAT(eval("byte(256)"), HasSubstr("out of range"));
}

TEST_F(StateTest, NeverWrapsLargeNumbers) { EXPECT_EQ(eval("huge()"), "0xffffffffffffffff"); }

TEST_F(StateTest, ReportsRuntimeErrorsWithoutThePromptsPosition) {
  const auto status = run("local t = nil; return t.x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::script);
  EXPECT_THAT(status.error().message, testing::StartsWith("attempt to index a nil value"));
}

TEST_F(StateTest, ShowsTheStackOnlyWhenAsked) {
  EXPECT_THAT(run("error('x')").error().hint, testing::Not(HasSubstr("stack traceback")));
  state.show_traceback = true;
  EXPECT_THAT(run("error('x')").error().hint, HasSubstr("stack traceback"));
}

TEST_F(StateTest, LeavesTheStackBalanced) {
  const int before = lua_gettop(state.thread());
  for (const char* code : {"x = 1", "error('no')", "syntax error", "return 1, 2, 3"}) {
    const auto ignored = run(code);
    EXPECT_EQ(lua_gettop(state.thread()), before) << code << (ignored ? "" : " failed");
  }
}

TEST_F(StateTest, RefsOutliveTheState) {
  Ref ref;
  {
    State inner(nullptr);
    lua_pushinteger(inner.thread(), 42);
    ref = inner.keep();
    ref.push(inner.thread());
    EXPECT_EQ(lua_tointeger(inner.thread(), -1), 42);
  }
  ref.push(state.thread());
  EXPECT_TRUE(lua_isnil(state.thread(), -1));
  lua_pop(state.thread(), 1);
}

TEST_F(StateTest, RefusesBinaryChunks) {
  EXPECT_EQ(eval("load(string.dump(function() end))"), "nil");
  EXPECT_THAT(eval("select(2, load(string.dump(function() end)))"),
              HasSubstr("attempt to load a binary"));
  EXPECT_EQ(eval("load('return 7')()"), "7");
  EXPECT_EQ(eval("load('return x', 'n', 'bt', {x = 3})()"), "3");
}

TEST_F(StateTest, HasNoWayToNativeCodeOrOut) {
  EXPECT_EQ(eval("package.loadlib"), "nil");
  EXPECT_EQ(eval("package.cpath"), "nil");
  EXPECT_EQ(eval("#package.searchers"), "2");
  EXPECT_EQ(eval("debug.setupvalue"), "nil");
  EXPECT_EQ(eval("require('debug') == debug"), "true");
  EXPECT_THAT(eval("os.exit(1)"), HasSubstr("os.exit"));
}

TEST_F(StateTest, RunsOutOfMemoryAsALimit) {
  const auto status = run("local t = {} for i = 1, 64 do t[i] = string.rep('x', 1 << 40) end");
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(std::string(to_string(status.error().code)), testing::AnyOf("limit", "script"));
}

}  // namespace
}  // namespace rpl
