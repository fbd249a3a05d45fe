// SPDX-License-Identifier: MIT
#include "shell/lua/interrupt.h"

#include <sys/time.h>

#include <csignal>
#include <lua.hpp>

#include "engine/base/interrupt.h"
#include "shell/lua/bind.h"
#include "shell/lua/state.h"

namespace rpl {
namespace {

void on_signal(int) {
  interrupt::raise();
  lua_interrupt();
}

/// press() stands for the person's Ctrl-C: the signal arrives while Lua code runs.
int press(lua_State*) {
  std::raise(SIGINT);
  return 0;
}

class InterruptTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    struct sigaction action{};
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, &before_);
    add_function("press", press);
  }
  void add_function(const char* name, lua_CFunction function) {
    lua_State* thread = state.thread();
    lua_pushglobaltable(thread);
    lua_pushstring(thread, name);
    lua_pushcfunction(thread, function);
    lua_rawset(thread, -3);
    lua_pop(thread, 1);
  }
  void TearDown() override {
    sigaction(SIGINT, &before_, nullptr);
    interrupt::clear();
  }
  Status run(std::string_view code) {
    TRY(state.load(code, "=(lua)", ChunkScope::prompt));
    return state.call(0, 0);
  }
  State state{nullptr};

 private:
  struct sigaction before_{};
};

TEST_P(InterruptTest, StopsEveryLoop) {
  const auto status = run(GetParam());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::interrupted);
  EXPECT_EQ(status.error().message, "interrupted");
  interrupt::clear();  // as the prompt does before it reads a line
  EXPECT_TRUE(run("local x = 0 for i = 1, 1000 do x = x + i end").has_value()) << "usable again";
}

INSTANTIATE_TEST_SUITE_P(
    Scripts, InterruptTest,
    testing::Values(
        "press() while true do end", "press() while true do pcall(error, 'swallowed') end",
        "while true do pcall(function() press() while true do end end) end",
        "while true do xpcall(function() press() while true do end end, function() end) end",
        "local co = coroutine.create(function() press() while true do end end) "
        "coroutine.resume(co) while true do end",
        "while true do local co = coroutine.create(function() press() while true do end end) "
        "coroutine.resume(co) end",
        "local f = coroutine.wrap(function() while true do press() coroutine.yield() end end) "
        "while true do pcall(f) end",
        "local co = coroutine.wrap(function() local inner = coroutine.wrap(function() press() "
        "while true do end end) inner() end) co()",
        "press() local t <close> = setmetatable({}, {__close = function() while true do end end}) "
        "while true do end",
        "local co = coroutine.create(function() local t <close> = setmetatable({}, {__close = "
        "function() press() while true do end end}) coroutine.yield() end) coroutine.resume(co) "
        "coroutine.close(co) while true do end"));

/// Arms a timer: the request comes while a loop of Lua's own runs, in which no hook is asked. It bounds nothing.
int press_soon(lua_State*) {
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 50'000}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  return 0;
}

/// A table that says that it has 2^53 elements; patterns and sets for which each step is long.
TEST_F(InterruptTest, LoopsThatCallNothingAreStopped) {
  struct sigaction action{}, before{};
  action.sa_handler = on_signal;
  sigaction(SIGALRM, &action, &before);
  add_function("press_soon", press_soon);
  for (const char* function : {"table.insert(t, 1, 'x')", "table.remove(t, 1)"}) {
    const auto status =
        run(std::string("local t = setmetatable({}, {__len = function() press_soon() return 1 << "
                        "53 end}) ") +
            function);
    ASSERT_FALSE(status.has_value()) << function;
    EXPECT_EQ(status.error().code, Errc::interrupted) << function;
    interrupt::clear();
  }
  for (const char* code :
       {"local t = setmetatable({}, {__index = setmetatable({}, {__index = string}), __len = "
        "function() press_soon() return 1 << 53 end}) t[1] = 'x' table.concat(setmetatable({}, "
        "{__len = getmetatable(t).__len, __index = function() return '' end}))",
        "table.sort(setmetatable({}, {__len = function() press_soon() return 1 << 30 end, __index "
        "= function() return 1 end, __newindex = function() end}))",
        "local s = ('('):rep(8 << 20) press_soon() s:find('%b()')",
        "local set = '[' .. ('b'):rep(4 << 20) .. ']' local s = ('a'):rep(8 << 20) press_soon() "
        "s:find(set)",
        "local s = ('a'):rep(8 << 20) press_soon() s:find('^(a*)%1%1b')",
        "local s, by = ('a'):rep(4000), ('%%'):rep(4 << 20) press_soon() s:gsub('a', by)"}) {
    const auto status = run(code);
    ASSERT_FALSE(status.has_value()) << code;
    EXPECT_THAT(status.error().code, testing::AnyOf(Errc::interrupted, Errc::limit)) << code;
    interrupt::clear();
  }
  sigaction(SIGALRM, &before, nullptr);
}

/// What an instruction does to strings cannot be stopped, so strings are not long.
TEST_F(InterruptTest, StringsHaveALimit) {
  for (const char* code :
       {"string.rep('a', (64 << 20) + 1)", "string.rep('ab', 1 << 60)",
        "string.rep('', 2, 'x')"
        " string.rep('x', 1 << 30, 'yy')",
        "local s = string.rep('a', 40 << 20) return s .. s",
        "local s = string.rep('a', 40 << 20) return table.concat({s, s})",
        "string.format('%q', string.rep('a', 2 << 20))", "utf8.len(string.rep('a', 5 << 20))",
        "os.date(string.rep('%c', 1 << 20))", "string.packsize(string.rep(' ', 5 << 20))"}) {
    const auto status = run(code);
    ASSERT_FALSE(status.has_value()) << code;
    EXPECT_EQ(status.error().code, Errc::limit) << code << ": " << status.error().message;
  }
  EXPECT_TRUE(run("assert(#string.rep('a', 64 << 20) == 64 << 20)"));
  EXPECT_TRUE(
      run("local s = string.rep('a', 16 << 20) assert(not s:find(('a'):rep(8 << 20) .. "
          "'b', 1, true))"))
      << "the text is gone over once, not once for each of its places";
}

TEST_F(InterruptTest, LoadAndCollectAreWhatTheyAre) {
  for (const char* code :
       {"assert(load('return 7')() == 7)", "assert(load('return ...', 'n')(3) == 3)",
        "local f, e = load('x =', '=name') assert(f == nil and e:find('^name:1:'))",
        "local f, e = load('x =') assert(f == nil and e:find('[string \"x =\"]:1:', 1, true))",
        "assert(load('return a', 'n', 't', {a = 5})() == 5)",
        "assert(load('return a', 'n', 'b', {a = 5})() == 5)",
        "assert(select('#', load('')()) == 0)",
        "local parts = {'return ', '9'} local i = 0 assert(load(function() i = i + 1 return "
        "parts[i] end)() == 9)",
        "assert(load('return ' .. ('1 + '):rep(5000) .. '1')() == 5001)",
        "assert(load(string.dump(function() end)) == nil)", "assert(not pcall(load))",
        "local weak = setmetatable({{}}, {__mode = 'v'}) assert(collectgarbage() == 0) "
        "assert(weak[1] == nil)",
        "assert(type(collectgarbage('step')) == 'boolean')",
        "assert(collectgarbage('step', 1 << 30) == true)", "assert(collectgarbage('count') > 0)",
        "assert(collectgarbage('generational') == 'incremental')",
        "assert(not pcall(collectgarbage, 'x'))"}) {
    const auto status = run(code);
    EXPECT_TRUE(status.has_value()) << code << ": " << status.error().message;
  }
}

/// Finalizers run where no hook is asked, the last ones at the end of the program.
TEST_F(InterruptTest, ThereAreNoFinalizers) {
  for (const char* code :
       {"setmetatable({}, {__gc = function() while true do end end}) collectgarbage()",
        "getmetatable(io.stdout).__gc = function() while true do end end",
        "setmetatable({}, {__gc = false})"}) {
    EXPECT_FALSE(run(code).has_value()) << code;
  }
  EXPECT_TRUE(run("local t = setmetatable({}, {__index = {a = 1}}) assert(t.a == 1)").has_value());
  EXPECT_TRUE(run("assert(not pcall(setmetatable, 1, {}) and not pcall(setmetatable, {}, 1))"));
}

/// It is the whole program's.
TEST_F(InterruptTest, TheLocaleStays) {
  EXPECT_FALSE(run("os.setlocale('C')").has_value());
  EXPECT_TRUE(run("assert(type(os.setlocale()) == 'string')").has_value());
}

/// Between the moment at which a line is taken and the first instruction of its script.
TEST_F(InterruptTest, CountsWhenItCameJustBeforeTheScript) {
  interrupt::raise();
  lua_interrupt();
  const auto status = run("while true do end");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::interrupted);
  interrupt::clear();
  EXPECT_TRUE(run("local x = 1").has_value());
}

TEST_F(InterruptTest, DoesNothingWhileNoLuaRuns) {
  lua_interrupt();
  EXPECT_TRUE(run("local x = 1").has_value());
}

TEST_F(InterruptTest, NestedCallsEndTogether) {
  lua_State* thread = state.thread();
  lua_pushglobaltable(thread);
  lua_pushliteral(thread, "nested");
  lua_pushlightuserdata(thread, &state);
  lua_pushcclosure(
      thread,
      [](lua_State* own) {
        auto* inner = static_cast<State*>(lua_touserdata(own, lua_upvalueindex(1)));
        return guarded(own, [&] {
          must(own, inner->load("press() while true do end", "=(lua)", ChunkScope::prompt));
          must(own, inner->call(0, 0));
          return 0;
        });
      },
      1);
  lua_rawset(thread, -3);
  lua_pop(thread, 1);
  const auto status = run("while true do pcall(nested) end");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Errc::interrupted);
}

TEST(Coroutines, BehaveAsInPlainLua) {
  State state(nullptr);
  constexpr std::string_view kCode = R"(
    local co = coroutine.create(function(a, b)
      local c = coroutine.yield(a + b)
      local d, e = coroutine.yield(c * 2)
      return d, e
    end)
    assert(select(2, coroutine.resume(co, 1, 2)) == 3)
    assert(select(2, coroutine.resume(co, 10)) == 20)
    local ok, d, e = coroutine.resume(co, "x", "y")
    assert(ok and d == "x" and e == "y" and coroutine.status(co) == "dead")
    local again, why = coroutine.resume(co)
    assert(again == false and why:find("dead"))
    local bad, message = coroutine.resume(coroutine.create(function() error("oops", 0) end))
    assert(bad == false and message == "oops")
    local f = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
    assert(f() == 1 and f() == 2 and f() == 3)
    assert(not pcall(coroutine.wrap(function() error("x") end)))
    local open = coroutine.create(function() coroutine.yield() end)
    coroutine.resume(open)
    assert(coroutine.close(open) == true and coroutine.status(open) == "dead")
  )";
  ASSERT_TRUE(state.load(kCode, "=(lua)", ChunkScope::prompt).has_value());
  const auto status = state.call(0, 0);
  EXPECT_TRUE(status.has_value()) << status.error().message;
}

}  // namespace
}  // namespace rpl
