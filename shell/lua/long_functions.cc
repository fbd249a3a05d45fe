// SPDX-License-Identifier: MIT
// Functions of Lua's libraries that may work for long without an instruction of Lua's, at which alone its hooks are asked: done in steps that can be stopped.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>

#include "shell/lua/error_lua.h"
#include "shell/lua/interrupt.h"
#include "shell/lua/pattern.h"
#include "shell/lua/state.h"

namespace rpl {
namespace {

/// At a step of a loop that calls nothing of Lua's.
void look(lua_State* thread, lua_Integer step) {
  constexpr lua_Integer kBetweenLooks = 4096;
  if (step % kBetweenLooks == 0) raise_if_stopped(thread);
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

/// Fails where a text would be longer than one may be, before the work for it is done.
void check_length(lua_State* thread, std::size_t size) {
  if (size > longest_string()) raise_error(thread, string_too_long());
}

int concat(lua_State* thread) {
  const lua_Integer size = length_of(thread);
  const std::string_view between = lua_isnoneornil(thread, 2) ? "" : text_at(thread, 2);
  lua_Integer i = luaL_optinteger(thread, 3, 1);
  const lua_Integer last = luaL_optinteger(thread, 4, size);
  std::size_t total = 0;
  luaL_Buffer out;
  luaL_buffinit(thread, &out);
  for (lua_Integer step = 1; i <= last; ++i, ++step) {
    look(thread, step);
    lua_geti(thread, 1, i);
    if (lua_isstring(thread, -1) == 0)
      luaL_error(thread, "invalid value (%s) at index %I in table for 'concat'",
                 luaL_typename(thread, -1), static_cast<LUAI_UACINT>(i));
    lua_tolstring(thread, -1, nullptr);
    total += lua_rawlen(thread, -1) + (i < last ? between.size() : 0);
    check_length(thread, total);
    luaL_addvalue(&out);
    if (i < last) luaL_addlstring(&out, between.data(), between.size());
    if (i == LUA_MAXINTEGER) break;
  }
  luaL_pushresult(&out);
  return 1;
}

int is_less(lua_State* thread) {
  lua_pushboolean(thread, lua_compare(thread, 1, 2, LUA_OPLT));
  return 1;
}

/// Upvalue: Lua's own. The call of a function for each comparison is where a hook is asked.
int sort(lua_State* thread) {
  lua_settop(thread, 2);
  if (lua_isnil(thread, 2)) {
    lua_pushcfunction(thread, is_less);
    lua_replace(thread, 2);
  }
  lua_pushvalue(thread, lua_upvalueindex(1));
  lua_insert(thread, 1);
  lua_call(thread, 2, 0);
  return 0;
}

int rep(lua_State* thread) {
  const std::string_view text = text_at(thread, 1);
  const lua_Integer times = luaL_checkinteger(thread, 2);
  const std::string_view between = lua_isnoneornil(thread, 3) ? "" : text_at(thread, 3);
  const std::size_t each = text.size() + between.size();
  if (times <= 0 || each == 0) {
    lua_pushliteral(thread, "");
    return 1;
  }
  if (static_cast<lua_Unsigned>(times) > longest_string() / each)
    check_length(thread, longest_string() + 1);
  const std::size_t size = each * static_cast<std::size_t>(times) - between.size();
  check_length(thread, size);
  luaL_Buffer out;
  char* to = luaL_buffinitsize(thread, &out, size);
  // What is there already is what comes next.
  std::size_t done = std::min(each, size);
  std::memcpy(to, text.data(), text.size());
  std::memcpy(to + text.size(), between.data(), done - text.size());
  for (; done < size; done += std::min(done, size - done))
    std::memcpy(to + done, to, std::min(done, size - done));
  luaL_pushresultsize(&out, size);
  return 1;
}

/// `made` gives the byte at a place of the result.
template <class Made>
int transformed(lua_State* thread, const Made& made) {
  const std::string_view text = text_at(thread, 1);
  luaL_Buffer out;
  char* to = luaL_buffinitsize(thread, &out, text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    look(thread, static_cast<lua_Integer>(i) + 1);
    to[i] = made(text, i);
  }
  luaL_pushresultsize(&out, text.size());
  return 1;
}

int upper(lua_State* thread) {
  return transformed(thread, [](std::string_view text, std::size_t i) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
  });
}
int lower(lua_State* thread) {
  return transformed(thread, [](std::string_view text, std::size_t i) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  });
}
int reverse(lua_State* thread) {
  return transformed(
      thread, [](std::string_view text, std::size_t i) { return text[text.size() - 1 - i]; });
}

/// Upvalue: Lua's own function, a C function without upvalues. It runs in this call, so that its errors have the name that was called.
int as_luas_own(lua_State* thread) { return lua_tocfunction(thread, lua_upvalueindex(1))(thread); }

/// Upvalues: Lua's own, and the longest text that it is given: it looks at each byte for long.
int of_short_texts(lua_State* thread) {
  const auto most = static_cast<lua_Unsigned>(lua_tointeger(thread, lua_upvalueindex(2)));
  for (int i = 1; i <= lua_gettop(thread); ++i) {
    if (lua_type(thread, i) == LUA_TSTRING && lua_rawlen(thread, i) > most)
      raise_error(thread,
                  {Errc::limit, fmt::format("this function takes texts of {} KiB", most >> 10U),
                   "give it parts of the text"});
  }
  return as_luas_own(thread);
}

/// `%q` makes up to four bytes of one, each by itself; every other directive copies.
int format(lua_State* thread) {
  constexpr lua_Unsigned kMost = lua_Unsigned{1} << 20U;
  const std::string_view form = text_at(thread, 1);
  check_length(thread, form.size() * 2);
  if (form.find('q') != std::string_view::npos) {
    for (int i = 2; i <= lua_gettop(thread); ++i) {
      if (lua_type(thread, i) == LUA_TSTRING && lua_rawlen(thread, i) > kMost)
        raise_error(thread, {Errc::limit, "%q takes a text of 1 MiB", "give it parts of the text"});
    }
  }
  return as_luas_own(thread);
}

/// Upvalue: Lua's own. A cycle of the collector that goes over everything is done in steps.
int collect_garbage(lua_State* thread) {
  const std::string_view what = luaL_optstring(thread, 1, "collect");
  // The generational mode has no steps: it is not taken up.
  if (what == "generational" || what == "incremental") {
    lua_pushliteral(thread, "incremental");
    return 1;
  }
  if (what != "collect" && what != "step") {
    lua_pushvalue(thread, lua_upvalueindex(1));
    lua_insert(thread, 1);
    lua_call(thread, lua_gettop(thread) - 1, LUA_MULTRET);
    return lua_gettop(thread);
  }
  constexpr int kKilobytes = 1024;
  const lua_Integer wanted = luaL_optinteger(thread, 2, 0);
  const bool all = what == "collect";
  bool over = false;
  // The cycle that is under way keeps what it has marked: another one finds that it is gone.
  int cycles = all ? 2 : 1;
  for (lua_Integer done = 0; cycles > 0 && (all || done <= wanted); done += kKilobytes) {
    raise_if_stopped(thread);
    over = lua_gc(thread, LUA_GCSTEP, kKilobytes) != 0;
    if (over) --cycles;
  }
  if (all) {
    lua_pushinteger(thread, 0);
  } else {
    lua_pushboolean(thread, over ? 1 : 0);
  }
  return 1;
}

void wrap(lua_State* thread, const char* name, lua_CFunction with) {
  lua_getfield(thread, -1, name);
  lua_pushcclosure(thread, with, 1);
  lua_setfield(thread, -2, name);
}
void shorten(lua_State* thread, const char* name, std::size_t most) {
  lua_getfield(thread, -1, name);
  lua_pushinteger(thread, static_cast<lua_Integer>(most));
  lua_pushcclosure(thread, of_short_texts, 2);
  lua_setfield(thread, -2, name);
}

}  // namespace

void make_long_functions_stoppable(lua_State* thread) {
  static constexpr luaL_Reg kString[] = {
      {"lower", lower}, {"rep", rep}, {"reverse", reverse}, {"upper", upper}, {nullptr, nullptr}};
  static constexpr luaL_Reg kTable[] = {{"concat", concat},
                                        {"insert", insert},
                                        {"move", move},
                                        {"remove", remove},
                                        {nullptr, nullptr}};
  constexpr std::size_t kText = std::size_t{4} << 20U, kForm = std::size_t{64} << 10U;
  wrap(thread, "collectgarbage", collect_garbage);
  lua_getfield(thread, -1, "string");
  add_pattern_functions(thread);
  luaL_setfuncs(thread, kString, 0);
  wrap(thread, "format", format);
  for (const char* name : {"pack", "packsize", "unpack"}) shorten(thread, name, kText);
  lua_pop(thread, 1);
  lua_getfield(thread, -1, "table");
  luaL_setfuncs(thread, kTable, 0);
  wrap(thread, "sort", sort);
  lua_pop(thread, 1);
  lua_getfield(thread, -1, "utf8");
  shorten(thread, "len", kText);
  lua_pop(thread, 1);
  lua_getfield(thread, -1, "os");
  shorten(thread, "date", kForm);
  lua_pop(thread, 1);
}

int load_text_in_parts(lua_State* thread, std::string_view text, const char* name) {
  const auto next = [](lua_State* reading, void* left, std::size_t* size) -> const char* {
    constexpr std::size_t kPart = 4096;
    raise_if_stopped(reading);
    auto& rest = *static_cast<std::string_view*>(left);
    const std::string_view part = rest.substr(0, kPart);
    rest.remove_prefix(part.size());
    *size = part.size();
    return part.data();
  };
  return lua_load(thread, next, &text, name, "t");
}

}  // namespace rpl
