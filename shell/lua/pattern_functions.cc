// SPDX-License-Identifier: MIT
// string.find, match, gmatch and gsub as the manual describes them, in steps that can be stopped.
#include <algorithm>
#include <cstring>
#include <string>

#include "shell/lua/error_lua.h"
#include "shell/lua/interrupt.h"
#include "shell/lua/pattern.h"

namespace rpl {
namespace {

/// Where a search begins, from 0; a negative place counts from the end.
std::size_t first_place(lua_Integer init, std::size_t size) {
  if (init > 0) return static_cast<std::size_t>(init) - 1;
  if (init == 0 || -init > static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-init);
}

bool is_plain(std::string_view pattern) {
  return pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
}

int find_or_match(lua_State* thread, bool find) {
  const std::string_view text = text_at(thread, 1);
  std::string_view pattern = text_at(thread, 2);
  const std::size_t init = first_place(luaL_optinteger(thread, 3, 1), text.size());
  if (init > text.size()) {
    luaL_pushfail(thread);
    return 1;
  }
  if (find && (lua_toboolean(thread, 4) != 0 || is_plain(pattern))) {
    // Linear in the text, where std::string_view::find compares all of a long pattern at each of its places.
    const void* found =
        ::memmem(text.data() + init, text.size() - init, pattern.data(), pattern.size());
    if (found == nullptr) {
      luaL_pushfail(thread);
      return 1;
    }
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    lua_pushinteger(thread, static_cast<lua_Integer>(at) + 1);
    lua_pushinteger(thread, static_cast<lua_Integer>(at + pattern.size()));
    return 2;
  }
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  Pattern matcher(thread, text, pattern);
  const char* const end = text.data() + text.size();
  for (const char* at = text.data() + init;; ++at) {
    if (const char* behind = matcher.match(at)) {
      if (!find) return matcher.push_captures(at, behind, true);
      lua_pushinteger(thread, at - text.data() + 1);
      lua_pushinteger(thread, behind - text.data());
      return matcher.push_captures(at, behind, false) + 2;
    }
    if (anchored || at == end) break;
  }
  luaL_pushfail(thread);
  return 1;
}

int find(lua_State* thread) { return find_or_match(thread, true); }
int match(lua_State* thread) { return find_or_match(thread, false); }

/// Upvalues: text, pattern, the place to go on at, the end of the last match or -1.
int next_match(lua_State* thread) {
  const std::string_view text = text_at(thread, lua_upvalueindex(1));
  const std::string_view pattern = text_at(thread, lua_upvalueindex(2));
  const lua_Integer last = lua_tointeger(thread, lua_upvalueindex(4));
  Pattern matcher(thread, text, pattern);
  for (auto place = static_cast<std::size_t>(lua_tointeger(thread, lua_upvalueindex(3)));
       place <= text.size(); ++place) {
    const char* const at = text.data() + place;
    const char* behind = matcher.match(at);
    if (behind == nullptr || behind - text.data() == last) continue;
    lua_pushinteger(thread, behind - text.data());
    lua_copy(thread, -1, lua_upvalueindex(3));
    lua_replace(thread, lua_upvalueindex(4));
    return matcher.push_captures(at, behind, true);
  }
  return 0;
}

int gmatch(lua_State* thread) {
  const std::string_view text = text_at(thread, 1);
  text_at(thread, 2);
  const std::size_t init = first_place(luaL_optinteger(thread, 3, 1), text.size());
  lua_settop(thread, 2);
  lua_pushinteger(thread, static_cast<lua_Integer>(std::min(init, text.size() + 1)));
  lua_pushinteger(thread, -1);
  lua_pushcclosure(thread, next_match, 4);
  return 1;
}

/// Adds what `%0` to `%9` and `%%` in the replacement stand for.
void add_text(lua_State* thread, const Pattern& matcher, const char* begin, const char* end,
              luaL_Buffer& out) {
  std::size_t size = 0;
  const char* text = lua_tolstring(thread, 3, &size);
  const std::string_view replacement(text, size);
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] != '%') {
      const std::size_t plain = std::min(replacement.find('%', i), replacement.size()) - i;
      luaL_addlstring(&out, replacement.data() + i, plain);
      i += plain - 1;
      continue;
    }
    const char c = ++i < replacement.size() ? replacement[i] : '\0';
    if (c == '%') {
      luaL_addchar(&out, c);
    } else if (c == '0') {
      luaL_addlstring(&out, begin, static_cast<std::size_t>(end - begin));
    } else if (c >= '1' && c <= '9') {
      matcher.push_capture(c - '1', begin, end);
      luaL_tolstring(thread, -1, nullptr);
      lua_remove(thread, -2);
      luaL_addvalue(&out);
    } else {
      luaL_error(thread, "invalid use of '%%' in replacement string");
    }
  }
}

/// Whether the match was replaced.
bool add_value(lua_State* thread, Pattern& matcher, const char* begin, const char* end,
               luaL_Buffer& out) {
  switch (lua_type(thread, 3)) {
    case LUA_TFUNCTION: {
      lua_pushvalue(thread, 3);
      const int count = matcher.push_captures(begin, end, true);
      lua_call(thread, count, 1);
      break;
    }
    case LUA_TTABLE:
      matcher.push_capture(0, begin, end);
      lua_gettable(thread, 3);
      break;
    default:
      add_text(thread, matcher, begin, end, out);
      return true;
  }
  if (lua_toboolean(thread, -1) == 0) {
    lua_pop(thread, 1);
    luaL_addlstring(&out, begin, static_cast<std::size_t>(end - begin));
    return false;
  }
  if (lua_isstring(thread, -1) == 0)
    luaL_error(thread, "invalid replacement value (a %s)", luaL_typename(thread, -1));
  luaL_addvalue(&out);
  return true;
}

int gsub(lua_State* thread) {
  const std::string_view text = text_at(thread, 1);
  std::string_view pattern = text_at(thread, 2);
  const int kind = lua_type(thread, 3);
  luaL_argexpected(
      thread,
      kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
      "string/function/table");
  const lua_Integer most = luaL_optinteger(thread, 4, static_cast<lua_Integer>(text.size()) + 1);
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  // As a text from here on: numbers are converted once.
  if (kind == LUA_TNUMBER) lua_tolstring(thread, 3, nullptr);
  Pattern matcher(thread, text, pattern);
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const char* last = nullptr;
  lua_Integer count = 0;
  bool changed = false;
  luaL_Buffer out;
  luaL_buffinit(thread, &out);
  while (count < most) {
    const char* behind = matcher.match(at);
    if (behind != nullptr && behind != last) {
      ++count;
      matcher.took(kind == LUA_TSTRING ? lua_rawlen(thread, 3) : 1);
      changed = add_value(thread, matcher, at, behind, out) || changed;
      at = last = behind;
    } else if (at < end) {
      luaL_addchar(&out, *at++);
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&out, at, static_cast<std::size_t>(end - at));
  luaL_pushresult(&out);
  // The same text where nothing was replaced.
  if (!changed) lua_pushvalue(thread, 1);
  lua_pushinteger(thread, count);
  return 2;
}

}  // namespace

void add_pattern_functions(lua_State* thread) {
  static constexpr luaL_Reg kString[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {nullptr, nullptr}};
  luaL_setfuncs(thread, kString, 0);
}

}  // namespace rpl
