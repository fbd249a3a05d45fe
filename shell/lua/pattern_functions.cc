// SPDX-License-Identifier: MIT
// string.find, match, gmatch, gsub, rep and table.move as the manual describes them, in steps that can be stopped.
#include <algorithm>
#include <cstring>
#include <string>

#include "shell/lua/error_lua.h"
#include "shell/lua/interrupt.h"
#include "shell/lua/pattern.h"

namespace rpl {
namespace {

std::string_view text_at(lua_State* thread, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(thread, index, &size);
  return {text, size};
}

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
    const std::size_t at = text.find(pattern, init);
    if (at == std::string_view::npos) {
      luaL_pushfail(thread);
      return 1;
    }
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
      luaL_addchar(&out, replacement[i]);
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

/// Upvalue: Lua's own. Nothing, however often, is nothing.
int rep(lua_State* thread) {
  const bool nothing =
      text_at(thread, 1).empty() && (lua_isnoneornil(thread, 3) || text_at(thread, 3).empty());
  luaL_checkinteger(thread, 2);
  if (nothing) {
    lua_pushliteral(thread, "");
    return 1;
  }
  lua_pushvalue(thread, lua_upvalueindex(1));
  lua_insert(thread, 1);
  lua_call(thread, lua_gettop(thread) - 1, 1);
  return 1;
}

/// At a step of a loop that calls nothing of Lua's.
void look(lua_State* thread, lua_Integer step) {
  constexpr lua_Integer kBetweenLooks = 4096;
  if (step % kBetweenLooks == 0 && lua_stop_requested())
    raise_error(thread, {Errc::interrupted, "interrupted", ""});
}

int move(lua_State* thread) {
  const lua_Integer first = luaL_checkinteger(thread, 2), last = luaL_checkinteger(thread, 3),
                    to = luaL_checkinteger(thread, 4);
  const int target = lua_isnoneornil(thread, 5) ? 1 : 5;
  if (last >= first) {
    luaL_argcheck(thread, first > 0 || last < LUA_MAXINTEGER + first, 3,
                  "too many elements to move");
    const lua_Integer count = last - first + 1;
    luaL_argcheck(thread, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    const bool forward =
        to > last || to <= first || (target != 1 && lua_compare(thread, 1, target, LUA_OPEQ) == 0);
    for (lua_Integer i = 0; i < count; ++i) {
      look(thread, i);
      const lua_Integer which = forward ? i : count - 1 - i;
      lua_geti(thread, 1, first + which);
      lua_seti(thread, target, to + which);
    }
  }
  lua_pushvalue(thread, target);
  return 1;
}

/// #t, which a metamethod may say is anything. What these two do to a table is what Lua's own do.
lua_Integer length_of(lua_State* thread) {
  if (lua_type(thread, 1) != LUA_TTABLE && luaL_getmetafield(thread, 1, "__len") == LUA_TNIL)
    luaL_checktype(thread, 1, LUA_TTABLE);
  return luaL_len(thread, 1);
}

int insert(lua_State* thread) {
  lua_Integer place = 0;
  const auto end = static_cast<lua_Integer>(static_cast<lua_Unsigned>(length_of(thread)) + 1U);
  switch (lua_gettop(thread)) {
    case 2:
      place = end;
      break;
    case 3:
      place = luaL_checkinteger(thread, 2);
      luaL_argcheck(thread, static_cast<lua_Unsigned>(place) - 1U < static_cast<lua_Unsigned>(end),
                    2, "position out of bounds");
      for (lua_Integer i = end; i > place; --i) {
        look(thread, i);
        lua_geti(thread, 1, i - 1);
        lua_seti(thread, 1, i);
      }
      break;
    default:
      return luaL_error(thread, "wrong number of arguments to 'insert'");
  }
  lua_seti(thread, 1, place);
  return 0;
}

int remove(lua_State* thread) {
  const lua_Integer size = length_of(thread);
  lua_Integer place = luaL_optinteger(thread, 2, size);
  if (place != size) {
    luaL_argcheck(thread, static_cast<lua_Unsigned>(place) - 1U <= static_cast<lua_Unsigned>(size),
                  2, "position out of bounds");
  }
  lua_geti(thread, 1, place);
  for (; place < size; ++place) {
    look(thread, place);
    lua_geti(thread, 1, place + 1);
    lua_seti(thread, 1, place);
  }
  lua_pushnil(thread);
  lua_seti(thread, 1, place);
  return 1;
}

}  // namespace

void make_long_functions_stoppable(lua_State* thread) {
  static constexpr luaL_Reg kString[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {nullptr, nullptr}};
  static constexpr luaL_Reg kTable[] = {
      {"insert", insert}, {"move", move}, {"remove", remove}, {nullptr, nullptr}};
  lua_getfield(thread, -1, "string");
  luaL_setfuncs(thread, kString, 0);
  lua_getfield(thread, -1, "rep");
  lua_pushcclosure(thread, rep, 1);
  lua_setfield(thread, -2, "rep");
  lua_pop(thread, 1);
  lua_getfield(thread, -1, "table");
  luaL_setfuncs(thread, kTable, 0);
  lua_pop(thread, 1);
}

}  // namespace rpl
