// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <lua.hpp>

#include "shell/lua/bind.h"

namespace rpl {
namespace value_binding {
namespace {

constexpr int kDeepest = 64;
constexpr char kNull = 0;

Result<Value> read(lua_State* thread, int index, int depth);

Result<Value> read_list(lua_State* thread, int index, lua_Unsigned size, int depth) {
  List list;
  list.reserve(size);
  for (lua_Unsigned at = 1; at <= size; ++at) {
    lua_rawgeti(thread, index, static_cast<lua_Integer>(at));
    auto item = read(thread, lua_gettop(thread), depth + 1);
    lua_pop(thread, 1);
    list.push_back(TRY(std::move(item)));
  }
  return Value(std::move(list));
}

Result<Value> read_record(lua_State* thread, int index, int depth) {
  Record record;
  lua_pushnil(thread);
  while (lua_next(thread, index) != 0) {
    if (lua_type(thread, -2) != LUA_TSTRING) {
      lua_pop(thread, 2);
      return fail(Errc::usage, "a table mixes names and positions, or has a key that is not a name",
                  "use either a list or named fields");
    }
    std::string key = lua_tostring(thread, -2);
    auto item = read(thread, lua_gettop(thread), depth + 1);
    lua_pop(thread, 1);
    if (!item) {
      lua_pop(thread, 1);
      return Failure(std::move(item).error().in(key));
    }
    record.emplace_back(std::move(key), std::move(*item));
  }
  // Lua's order changes from run to run.
  std::ranges::sort(record, {}, &std::pair<std::string, Value>::first);
  return Value(std::move(record));
}

Result<Value> read_table(lua_State* thread, int index, int depth) {
  if (!lua_checkstack(thread, 8)) return fail(Errc::limit, "a table is nested too deeply");
  const lua_Unsigned size = lua_rawlen(thread, index);
  lua_Unsigned keys = 0;
  lua_pushnil(thread);
  while (lua_next(thread, index) != 0) {
    lua_pop(thread, 1);
    ++keys;
  }
  if (keys == size) return read_list(thread, index, size, depth);
  return read_record(thread, index, depth);
}

/// Bound objects say what they stand for by the metamethod __rpl_value.
Result<Value> read_object(lua_State* thread, int index, int depth) {
  if (luaL_getmetafield(thread, index, "__rpl_value") == LUA_TNIL) {
    const char* text = luaL_tolstring(thread, index, nullptr);
    const std::string shown = text;
    lua_pop(thread, 1);
    return fail(Errc::usage, fmt::format("{} cannot be used as a value", shown));
  }
  lua_pushvalue(thread, index);
  lua_call(thread, 1, 1);
  auto value = read(thread, lua_gettop(thread), depth + 1);
  lua_pop(thread, 1);
  return value;
}

Result<Value> read(lua_State* thread, int index, int depth) {
  if (depth > kDeepest) return fail(Errc::usage, "a table is nested too deeply or contains itself");
  switch (lua_type(thread, index)) {
    case LUA_TNIL:
    case LUA_TNONE:
      return Value();
    case LUA_TBOOLEAN:
      return Value(lua_toboolean(thread, index) != 0);
    case LUA_TNUMBER:
      if (lua_isinteger(thread, index)) {
        return Value(static_cast<std::int64_t>(lua_tointeger(thread, index)));
      }
      return Value(lua_tonumber(thread, index));
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(thread, index, &size);
      return Value(std::string(text, size));
    }
    case LUA_TTABLE:
      return read_table(thread, index, depth);
    case LUA_TUSERDATA:
      return read_object(thread, index, depth);
    default:
      if (is_null_at(thread, index)) return Value();
      return fail(Errc::usage, fmt::format("a {} is not a value", luaL_typename(thread, index)));
  }
}

struct Push {
  lua_State* thread;

  void operator()(std::monostate) const { lua_pushnil(thread); }
  void operator()(bool value) const { lua_pushboolean(thread, value); }
  void operator()(std::int64_t value) const { lua_pushinteger(thread, value); }
  void operator()(double value) const { lua_pushnumber(thread, value); }
  void operator()(const std::string& value) const {
    lua_pushlstring(thread, value.data(), value.size());
  }
  void operator()(const List& list) const {
    luaL_checkstack(thread, 4, "value nested too deeply");
    lua_createtable(thread, static_cast<int>(list.size()), 0);
    lua_Integer at = 0;
    for (const Value& item : list) {
      if (item.is_null()) {
        push_null(thread);
      } else {
        push_value(thread, item);
      }
      lua_rawseti(thread, -2, ++at);
    }
  }
  void operator()(const Record& record) const {
    luaL_checkstack(thread, 4, "value nested too deeply");
    lua_createtable(thread, 0, static_cast<int>(record.size()));
    for (const auto& [key, item] : record) {
      lua_pushlstring(thread, key.data(), key.size());
      push_value(thread, item);
      lua_rawset(thread, -3);
    }
  }
};

template <class T>
bool push_if(lua_State* thread, const Value& value) {
  const T* held = value.as<T>();
  if (held != nullptr) Push{thread}(*held);
  return held != nullptr;
}

}  // namespace
}  // namespace value_binding

void push_value(lua_State* thread, const Value& value) {
  if (value_binding::push_if<std::int64_t>(thread, value) ||
      value_binding::push_if<std::string>(thread, value) ||
      value_binding::push_if<double>(thread, value) ||
      value_binding::push_if<bool>(thread, value) || value_binding::push_if<List>(thread, value) ||
      value_binding::push_if<Record>(thread, value)) {
    return;
  }
  lua_pushnil(thread);
}

Result<Value> value_at(lua_State* thread, int index) {
  return value_binding::read(thread, lua_absindex(thread, index), 0);
}

const List& list_in(const Value& value) {
  static const List none;
  const auto* list = value.as<List>();
  return list ? *list : none;
}

const Record& record_in(const Value& value) {
  static const Record none;
  const auto* record = value.as<Record>();
  return record ? *record : none;
}

std::string text_in(const Value& record, std::string_view key) {
  const Value* found = record.find(key);
  const auto* text = found ? found->as<std::string>() : nullptr;
  return text ? *text : std::string();
}

bool flag_in(const Value& record, std::string_view key) {
  const Value* found = record.find(key);
  return found != nullptr && *found == Value(true);
}

std::optional<double> number_in(const Value& record, std::string_view key) {
  const Value* found = record.find(key);
  return found == nullptr ? std::nullopt : found->number();
}

void push_null(lua_State* thread) {
  lua_pushlightuserdata(thread, const_cast<char*>(&value_binding::kNull));
}

bool is_null_at(lua_State* thread, int index) {
  return lua_islightuserdata(thread, index) &&
         lua_touserdata(thread, index) == &value_binding::kNull;
}

}  // namespace rpl
