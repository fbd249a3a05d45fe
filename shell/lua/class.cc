// SPDX-License-Identifier: MIT
#include <algorithm>

#include "shell/core/command/nearest.h"
#include "shell/lua/bind.h"

namespace rpl {
namespace {

const ClassBinding& binding_of(lua_State* thread, int upvalue) {
  return *static_cast<const ClassBinding*>(lua_touserdata(thread, lua_upvalueindex(upvalue)));
}

int read_column(lua_State* thread, const ClassBinding& binding, const BoundColumn& column) {
  return guarded(thread, [&] {
    binding.read(thread, column);
    return 1;
  });
}

/// Upvalues: binding, fields by name, methods by name, fallback or nil.
int index(lua_State* thread) {
  lua_pushvalue(thread, 2);
  const int kind = lua_rawget(thread, lua_upvalueindex(2));
  if (kind == LUA_TFUNCTION) return lua_tocfunction(thread, -1)(thread);
  if (kind == LUA_TLIGHTUSERDATA) {
    return read_column(thread, binding_of(thread, 1),
                       *static_cast<const BoundColumn*>(lua_touserdata(thread, -1)));
  }
  lua_pushvalue(thread, 2);
  if (lua_rawget(thread, lua_upvalueindex(3)) != LUA_TNIL) return 1;
  if (lua_CFunction fallback = lua_tocfunction(thread, lua_upvalueindex(4))) {
    lua_settop(thread, 2);
    return fallback(thread);
  }
  const ClassBinding& binding = binding_of(thread, 1);
  if (lua_type(thread, 2) != LUA_TSTRING) {
    lua_pushnil(thread);
    return 1;
  }
  return guarded(thread, [&]() -> int {
    raise_error(thread,
                no_such_field(binding.name, lua_tostring(thread, 2), member_names(binding)));
  });
}

int refuse_assignment(lua_State* thread) {
  const char* field = luaL_tolstring(thread, 2, nullptr);
  return guarded(thread, [&]() -> int {
    raise_error(thread, {Errc::denied,
                         fmt::format("{} is read-only; '{}' cannot be assigned",
                                     binding_of(thread, 1).name, field),
                         "keep your own values in a table"});
  });
}

/// Upvalue: binding. next() over the columns and fields; arguments: object, previous name.
int next_field(lua_State* thread) {
  const ClassBinding& binding = binding_of(thread, 1);
  const std::size_t columns = binding.columns.size(), all = columns + binding.fields.size();
  const auto name = [&](std::size_t at) -> std::string_view {
    if (at < columns) return binding.columns.begin()[at].about.name;
    return binding.fields[at - columns].name;
  };
  std::size_t at = 0;
  if (lua_type(thread, 2) == LUA_TSTRING) {
    const std::string_view previous = lua_tostring(thread, 2);
    while (at < all && name(at) != previous) ++at;
    ++at;
  }
  if (at >= all) return 0;
  lua_settop(thread, 1);
  lua_pushlstring(thread, name(at).data(), name(at).size());
  // The getter expects the object at 1 and leaves one value on top.
  if (at >= columns) {
    binding.fields[at - columns].get(thread);
  } else {
    read_column(thread, binding, binding.columns.begin()[at]);
  }
  return 2;
}

int pairs(lua_State* thread) {
  lua_pushvalue(thread, lua_upvalueindex(1));
  lua_pushcclosure(thread, next_field, 1);
  lua_pushvalue(thread, 1);
  lua_pushnil(thread);
  return 3;
}

int tostring(lua_State* thread) {
  lua_pushfstring(thread, "%s: %p", binding_of(thread, 1).name, lua_topointer(thread, 1));
  return 1;
}

/// Upvalue: binding. For functions that do more than every session may.
int call_if_allowed(lua_State* thread) {
  const auto& function =
      *static_cast<const FunctionBinding*>(lua_touserdata(thread, lua_upvalueindex(1)));
  guarded(thread, [&] {
    must(thread, check_allowed(function.does, function.name));
    return 0;
  });
  return function.call(thread);
}

void push_function(lua_State* thread, const FunctionBinding& function) {
  if (function.does.within(kKeeps)) return lua_pushcfunction(thread, function.call);
  lua_pushlightuserdata(thread, const_cast<FunctionBinding*>(&function));
  lua_pushcclosure(thread, call_if_allowed, 1);
}

void set_closure(lua_State* thread, const char* name, lua_CFunction function,
                 const ClassBinding& binding) {
  lua_pushlightuserdata(thread, const_cast<ClassBinding*>(&binding));
  lua_pushcclosure(thread, function, 1);
  lua_setfield(thread, -2, name);
}

}  // namespace

std::vector<std::string> member_names(const ClassBinding& binding) {
  std::vector<std::string> names;
  for (const BoundColumn& column : binding.columns) names.emplace_back(column.about.name);
  for (const FieldBinding& field : binding.fields) names.emplace_back(field.name);
  for (const FunctionBinding& method : binding.methods) names.emplace_back(method.name);
  return names;
}

Error no_such_field(std::string_view owner, std::string_view name,
                    std::span<const std::string> names) {
  // What a class and its fallback both offer appears twice.
  std::vector<std::string> once;
  for (const std::string& known : names) {
    if (std::ranges::find(once, known) == once.end()) once.push_back(known);
  }
  const std::string hint = did_you_mean(nearest(name, once));
  constexpr std::size_t kMostNamed =
      40;  // more fill a screen, and nobody looks for one of them there
  std::string all;
  for (const std::string& known : std::span(once).first(std::min(once.size(), kMostNamed)))
    all += (all.empty() ? "it has " : ", ") + known;
  if (once.size() > kMostNamed) all += fmt::format(" and {} more", once.size() - kMostNamed);
  return {Errc::not_found, fmt::format("{} has no '{}'", owner, name), hint.empty() ? all : hint};
}

void open_class(lua_State* thread, const ClassBinding& binding) {
  luaL_newmetatable(thread, binding.name);
  set_closure(thread, "__newindex", refuse_assignment, binding);
  set_closure(thread, "__pairs", pairs, binding);
  set_closure(thread, "__tostring", tostring, binding);
  lua_CFunction fallback = nullptr;
  for (const luaL_Reg& metamethod : binding.metamethods) {
    if (std::string_view(metamethod.name) == "__index") {
      fallback = metamethod.func;
      continue;
    }
    lua_pushcfunction(thread, metamethod.func);
    lua_setfield(thread, -2, metamethod.name);
  }
  lua_pushlightuserdata(thread, const_cast<ClassBinding*>(&binding));
  lua_newtable(thread);
  for (const BoundColumn& column : binding.columns) {
    lua_pushlstring(thread, column.about.name.data(), column.about.name.size());
    lua_pushlightuserdata(thread, const_cast<BoundColumn*>(&column));
    lua_rawset(thread, -3);
  }
  for (const FieldBinding& field : binding.fields) {
    lua_pushcfunction(thread, field.get);
    lua_setfield(thread, -2, field.name);
  }
  lua_newtable(thread);
  for (const FunctionBinding& method : binding.methods) {
    push_function(thread, method);
    lua_setfield(thread, -2, method.name);
  }
  if (fallback != nullptr) {
    lua_pushcfunction(thread, fallback);
  } else {
    lua_pushnil(thread);
  }
  lua_pushcclosure(thread, index, 4);
  lua_setfield(thread, -2, "__index");
  if (binding.finalizer != nullptr) {
    lua_pushcfunction(thread, binding.finalizer);
    lua_setfield(thread, -2, "__gc");
  }
  lua_pushboolean(thread, 0);
  lua_setfield(thread, -2, "__metatable");
  lua_pop(thread, 1);
}

}  // namespace rpl
