// SPDX-License-Identifier: MIT
// Patterns against those of Lua itself, and what would never end.
#include "shell/lua/pattern.h"

#include <gtest/gtest.h>

#include <csignal>
#include <random>
#include <string>

#include "engine/base/interrupt.h"
#include "engine/base/policy.h"
#include "shell/lua/bind.h"
#include "shell/lua/interrupt.h"
#include "shell/lua/state.h"

namespace rpl {
namespace {

/// The results of one call as a text, or its error.
std::string called(lua_State* thread, const std::string& code) {
  const int top = lua_gettop(thread);
  std::string out;
  if (luaL_loadbufferx(thread, code.data(), code.size(), "=x", "t") != LUA_OK ||
      lua_pcall(thread, 0, LUA_MULTRET, 0) != LUA_OK) {
    out = std::string("error ") + luaL_tolstring(thread, -1, nullptr);
  } else {
    for (int i = top + 1; i <= lua_gettop(thread); ++i)
      out += std::string(luaL_tolstring(thread, i, nullptr)) + "|", lua_pop(thread, 1);
  }
  lua_settop(thread, top);
  return out;
}

/// Without what only one of them says around it.
std::string plain(std::string text) {
  const std::size_t at = text.find("x:1: ");
  return at == std::string::npos ? text : text.erase(at, 5);
}

std::string random_text(std::mt19937& random, const std::string& letters, std::size_t most) {
  std::string out;
  for (std::size_t size = random() % (most + 1); out.size() < size;)
    out += letters[random() % letters.size()];
  return out;
}

TEST(PatternTest, AgreesWithLuaOnRandomPatterns) {
  lua_State* own = luaL_newstate();
  lua_State* ours = luaL_newstate();
  for (lua_State* thread : {own, ours}) luaL_openlibs(thread);
  lua_pushglobaltable(ours);
  make_long_functions_stoppable(ours);
  lua_pop(ours, 1);
  std::mt19937 random(7);
  int matched = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_text(random, "aab1 (%]", 12);
    const std::string pattern = random_text(random, "ab1.%%()[]^$*+-?daswbf12", 8);
    const std::string with = random_text(random, "x%01", 4);
    for (const std::string& code :
         {"return string.find([=[" + text + "]=], [=[" + pattern + "]=])",
          "return string.match([=[" + text + "]=], [=[" + pattern + "]=], 2)",
          "return string.gsub([=[" + text + "]=], [=[" + pattern + "]=], [=[" + with + "]=])",
          "return string.gsub([=[" + text + "]=], [=[" + pattern + "]=], {a = 1, b = false}, 2)",
          "local t = {} for a, b in string.gmatch([=[" + text + "]=], [=[" + pattern +
              "]=]) do t[#t + 1] = tostring(a) .. tostring(b) if #t > 50 then break end end "
              "return table.concat(t, ',')"}) {
      const std::string expected = plain(called(own, code)), got = plain(called(ours, code));
      ASSERT_EQ(got, expected) << code;
      matched += expected.starts_with("nil") || expected.starts_with("error") ? 0 : 1;
    }
  }
  EXPECT_GT(matched, 20'000);
  lua_close(own);
  lua_close(ours);
}

TEST(PatternTest, OtherLongFunctionsAgreeWithLuaToo) {
  lua_State* own = luaL_newstate();
  lua_State* ours = luaL_newstate();
  for (lua_State* thread : {own, ours}) luaL_openlibs(thread);
  lua_pushglobaltable(ours);
  make_long_functions_stoppable(ours);
  lua_pop(ours, 1);
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_text(random, "aB1 \xc3\xa4%", 9);
    const std::string list = random_text(random, "ab12", 6);
    const std::string number = std::to_string(static_cast<int>(random() % 9) - 2);
    const std::string other = std::to_string(static_cast<int>(random() % 9) - 2);
    const std::string t = "local t = {} for c in ([=[" + list +
                          "]=]):gmatch('.') do t[#t + 1] = "
                          "tonumber(c) or c end ";
    for (const std::string& code :
         {"return ([=[" + text + "]=]):rep(" + number + ")",
          "return ([=[" + text + "]=]):rep(" + number + ", [=[" + list + "]=])",
          "return ([=[" + text + "]=]):upper(), ([=[" + text + "]=]):lower(), ([=[" + text +
              "]=]):reverse(), utf8.len([=[" + text + "]=])",
          t + "return table.concat(t)", t + "return table.concat(t, ', ')",
          t + "return table.concat(t, '-', " + number + ", " + other + ")",
          t + "table.sort(t) return table.concat(t)",
          t + "for i = 1, #t do t[i] = tostring(t[i]) end table.sort(t) return table.concat(t)",
          t + "for i = 1, #t do t[i] = tostring(t[i]) end table.sort(t, function(a, b) return a > "
              "b end) return table.concat(t)",
          "return string.format('%s %q %d %%', [=[" + text + "]=], [=[" + list + "]=], " + number +
              ")",
          "return ([=[" + text + "]=]):find([=[" + list + "]=], " + number + ", true)"})
      ASSERT_EQ(plain(called(ours, code)), plain(called(own, code))) << code;
  }
  lua_close(own);
  lua_close(ours);
}

TEST(PatternTest, RepAndMoveAgreeToo) {
  State state(nullptr);
  for (const char* code :
       {"assert(('ab'):rep(3, '-') == 'ab-ab-ab')", "assert((''):rep(1 << 60) == '')",
        "assert(('x'):rep(-1) == '')",
        "local t = table.move({1, 2, 3}, 1, 3, 2) assert(t[1] == 1 and t[2] == 1 and t[4] == 3)",
        "local t = table.move({1, 2, 3}, 2, 3, 1) assert(t[1] == 2 and t[2] == 3)",
        "assert(#table.move({1, 2}, 1, 2, 1, {}) == 2)",
        "local t = {1, 2} table.insert(t, 1, 0) table.insert(t, 3) table.insert(t, 5, 4) "
        "assert(table.concat(t, ',') == '0,1,2,3,4')",
        "local t = {1, 2, 3} assert(table.remove(t, 1) == 1 and table.remove(t) == 3 and "
        "table.remove(t, 2) == nil and #t == 1)",
        "local t = {} assert(table.remove(t) == nil and table.remove(t, 0) == nil)",
        "assert(not pcall(table.insert, {1}, 3, 1) and not pcall(table.insert, {1}, 0, 1))",
        "assert(not pcall(table.insert, {1}) and not pcall(table.insert, {1}, 1, 1, 1))",
        "assert(not pcall(table.remove, {1, 2}, 4) and not pcall(table.remove, {1, 2}, 0))",
        "assert(not pcall(table.insert, 'a', 1) and not pcall(table.remove, 7))"}) {
    ASSERT_TRUE(state.load(code, "=x", ChunkScope::prompt));
    const Status ran = state.call(0, 0);
    EXPECT_TRUE(ran) << code << ": " << ran.error().message;
  }
}

void stop_the_pattern(int) {
  interrupt::raise();
  lua_interrupt();
}

/// A Ctrl-C that comes while the matcher runs, which is C: no hook of Lua's is asked before it ends.
template <const char* const& pattern>
int search(lua_State* thread) {
  std::raise(SIGINT);
  const std::string text(400'000, 'a');
  Pattern matcher(thread, text, pattern);
  lua_pushboolean(thread, matcher.match(text.data()) != nullptr);
  return 1;
}

constexpr const char* kShortest = ".-.-.-.-b";
constexpr const char* kGreedy = ".*.*.*.*b";

/// Each of these would go on for longer than anybody waits.
TEST(PatternTest, WhatWouldNeverEndIsStopped) {
  struct sigaction action{}, before{};
  action.sa_handler = stop_the_pattern;
  sigaction(SIGINT, &action, &before);
  for (const lua_CFunction function : {search<kShortest>, search<kGreedy>}) {
    State state(nullptr);
    lua_pushcfunction(state.thread(), function);
    const Status stopped = state.call(0, 0);
    interrupt::clear();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Errc::interrupted);
  }
  sigaction(SIGINT, &before, nullptr);
}

TEST(PatternTest, MemoryHasALimit) {
  Policy policy{.restricted = true};
  const PolicyScope scope(policy);
  State state(nullptr);
  ASSERT_TRUE(
      state.load("local t = {} while true do t[#t + 1] = string.rep('x', 1 << 20) .. #t end", "=x",
                 ChunkScope::prompt));
  const Status ended = state.call(0, 0);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, Errc::limit) << ended.error().message;
}

}  // namespace
}  // namespace rpl
