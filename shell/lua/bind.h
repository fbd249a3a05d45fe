// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <lua.hpp>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/policy.h"
#include "engine/document/bound.h"
#include "shell/lua/error_lua.h"

/// How C++ becomes visible in Lua: values, bound classes, functions. Each binding carries its description, from which the LuaLS stubs
/// and the API page are made. All of it relies on the C++ build of Lua: a Lua error unwinds C++ frames.
namespace rpl {

/// Pushes a value; lists and records become tables, null becomes nil.
void push_value(lua_State* thread, const Value& value);

/// The Lua value at `index`: sequences become lists, other tables records with sorted keys, handles what they stand for on a command
/// line ("k7f3a2c", "t1"). Functions, mixed tables, cycles and too deep nesting are errors that say where.
Result<Value> value_at(lua_State* thread, int index);

/// The sentinel for null inside a JSON array, where nil would end the sequence: rpl.json.null.
void push_null(lua_State* thread);
bool is_null_at(lua_State* thread, int index);

/// The content of a list or record, empty for anything else; a text there, "" without one.
const List& list_in(const Value& value);
const Record& record_in(const Value& value);
std::string text_in(const Value& record, std::string_view key);
bool flag_in(const Value& record, std::string_view key);
/// A number there, if there is one.
std::optional<double> number_in(const Value& record, std::string_view key);

/// A text as a template argument.
template <std::size_t N>
struct Literal {
  char text[N];
  consteval Literal(const char (&given)[N]) { std::copy_n(given, N, text); }
};

/// The Lua name of a bound class, "rpl.Trace".
template <class T>
inline constexpr const char* type_name = nullptr;

/// Runs `body`, turning C++ exceptions into Lua errors. Lua's own throw is no std::exception and passes through.
template <class Body>
int guarded(lua_State* thread, Body&& body) {
  std::string what;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    what.clear();
  } catch (const std::exception& error) {
    what = error.what();
  }
  if (what.empty())
    raise_error(thread, {Errc::limit, "out of memory", "close traces that are not needed"});
  raise_error(thread, {Errc::internal, std::move(what), "this is a bug in rpl; please report it"});
}

/// Unwraps a result or raises its error.
template <class T>
T must(lua_State* thread, Result<T> result) {
  if (!result) raise_error(thread, std::move(result).error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Makes a new object of a bound class.
template <class T>
void push_object(lua_State* thread, T object) {
  static_assert(type_name<T> != nullptr, "specialise type_name for this class");
  void* memory = lua_newuserdatauv(thread, sizeof(std::optional<T>), 1);
  new (memory) std::optional<T>(std::move(object));
  luaL_setmetatable(thread, type_name<T>);
}

/// The bound object at `index` if it is one of class T, else nullptr.
template <class T>
T* find_object(lua_State* thread, int index) {
  auto* slot = static_cast<std::optional<T>*>(luaL_testudata(thread, index, type_name<T>));
  return slot && *slot ? &**slot : nullptr;
}

/// The bound object at argument `index`, or a Lua error that names what was expected.
template <class T>
T& check_object(lua_State* thread, int index) {
  auto* slot = static_cast<std::optional<T>*>(luaL_checkudata(thread, index, type_name<T>));
  // A finalizer of the script may run after ours when the state closes.
  if (!*slot) luaL_argerror(thread, index, "the object is gone");
  return **slot;
}

namespace detail {

template <class T>
struct Stack {
  static void push(lua_State* thread, T value) { push_object<T>(thread, std::move(value)); }
  static T& get(lua_State* thread, int index) { return check_object<T>(thread, index); }
};

template <>
struct Stack<bool> {
  static void push(lua_State* thread, bool value) { lua_pushboolean(thread, value); }
  static bool get(lua_State* thread, int index) {
    luaL_checktype(thread, index, LUA_TBOOLEAN);
    return lua_toboolean(thread, index) != 0;
  }
};

template <std::integral T>
  requires(!std::same_as<T, bool>)
struct Stack<T> {
  static void push(lua_State* thread, T value) { push_value(thread, Value(value)); }
  static T get(lua_State* thread, int index) {
    const lua_Integer value = luaL_checkinteger(thread, index);
    luaL_argcheck(thread, std::in_range<T>(value), index, "number out of range");
    return static_cast<T>(value);
  }
};

template <>
struct Stack<double> {
  static void push(lua_State* thread, double value) { lua_pushnumber(thread, value); }
  static double get(lua_State* thread, int index) { return luaL_checknumber(thread, index); }
};

template <>
struct Stack<std::string_view> {
  static void push(lua_State* thread, std::string_view value) {
    lua_pushlstring(thread, value.data(), value.size());
  }
  static std::string_view get(lua_State* thread, int index) {
    std::size_t size = 0;
    const char* text = luaL_checklstring(thread, index, &size);
    return {text, size};
  }
};

template <>
struct Stack<std::string> {
  static void push(lua_State* thread, const std::string& value) {
    lua_pushlstring(thread, value.data(), value.size());
  }
  static std::string get(lua_State* thread, int index) {
    return std::string(Stack<std::string_view>::get(thread, index));
  }
};

template <>
struct Stack<Value> {
  static void push(lua_State* thread, const Value& value) { push_value(thread, value); }
  static Value get(lua_State* thread, int index) { return must(thread, value_at(thread, index)); }
};

template <class T>
struct Stack<std::optional<T>> {
  static void push(lua_State* thread, const std::optional<T>& value) {
    if (value) {
      Stack<T>::push(thread, *value);
    } else {
      lua_pushnil(thread);
    }
  }
  static std::optional<T> get(lua_State* thread, int index) {
    if (lua_isnoneornil(thread, index)) return std::nullopt;
    return Stack<T>::get(thread, index);
  }
};

template <class T>
struct Stack<std::vector<T>> {
  static void push(lua_State* thread, std::vector<T> list) {
    lua_createtable(thread, static_cast<int>(std::min<std::size_t>(list.size(), 1U << 20U)), 0);
    lua_Integer at = 0;
    for (T& item : list) {
      Stack<T>::push(thread, std::move(item));
      lua_rawseti(thread, -2, ++at);
    }
  }
};

template <class R>
int push_result(lua_State* thread, R&& result) {
  Stack<std::remove_cvref_t<R>>::push(thread, std::forward<R>(result));
  return 1;
}
template <class T>
int push_result(lua_State* thread, Result<T>&& result) {
  if (!result) raise_error(thread, std::move(result).error());
  if constexpr (std::is_void_v<T>) {
    return 0;
  } else {
    return push_result(thread, std::move(*result));
  }
}

/// A parameter as the function declares it; a leading lua_State* takes no argument.
template <class T>
decltype(auto) argument(lua_State* thread, int& index) {
  if constexpr (std::same_as<T, lua_State*>) {
    return thread;
  } else {
    return Stack<std::remove_cvref_t<T>>::get(thread, index++);
  }
}

template <auto function, class R, class... Args>
int invoke(lua_State* thread) {
  int index = 1;
  // Braces fix the order, so that the first bad argument is the one reported.
  std::tuple<decltype(argument<Args>(thread, index))...> arguments{
      argument<Args>(thread, index)...};
  if constexpr (std::is_void_v<R>) {
    std::apply(function, arguments);
    return 0;
  } else {
    return push_result(thread, std::apply(function, arguments));
  }
}

template <auto function, class Signature>
struct Thunk;
template <auto function, class R, class... Args>
struct Thunk<function, R (*)(Args...)> {
  static int call(lua_State* thread) {
    return guarded(thread, [&] { return invoke<function, R, Args...>(thread); });
  }
};
template <auto function, class T, class R, class... Args>
struct Thunk<function, R (T::*)(Args...) const> {
  static int call(lua_State* thread) {
    return guarded(thread, [&] { return invoke<function, R, T&, Args...>(thread); });
  }
};
template <auto function>
struct Thunk<function, int (*)(lua_State*)> {
  static int call(lua_State* thread) {
    return guarded(thread, [&] { return function(thread); });
  }
};

template <class T>
int finalize(lua_State* thread) {
  // Emptied, not destroyed: a resurrected object must still be there to be refused.
  static_cast<std::optional<T>*>(lua_touserdata(thread, 1))->reset();
  return 0;
}

}  // namespace detail

/// The lua_CFunction of a C++ function, made from its signature: arguments are checked, a Result's failure raises. A function
/// `int (lua_State*)` works on the stack itself and is only guarded.
template <auto function>
inline constexpr lua_CFunction thunk = detail::Thunk<function, decltype(function)>::call;

/// A read-only field of a bound class: `get` finds the object at 1 and pushes one value.
struct FieldBinding {
  const char* name;
  const char* type;  ///< in LuaLS notation: "integer", "string?"
  const char* help;
  lua_CFunction get = nullptr;
};

/// A method of a bound class (the object is argument 1, not listed in `params`) or a function of a module table.
struct FunctionBinding {
  const char* name;
  lua_CFunction call;
  const char* params;   ///< "column: string, n?: integer"; "...: any" for the rest
  const char* returns;  ///< "number", "" for nothing
  const char* help;
  Capabilities does;   ///< what it needs by itself
  Capabilities may{};  ///< what it needs in part: of the lines that it runs
};

struct ClassBinding {
  const char* name;
  const char* help;
  std::span<const FieldBinding> fields;
  std::span<const FunctionBinding> methods;
  std::span<const luaL_Reg>
      metamethods;  ///< replace the generic __index fallback, __pairs, __len, __call, __tostring
  const char* callable = "";  ///< LuaLS overload for __call: "fun(filter: table): rpl.Rows"
  const char* element = "";   ///< type of `object[integer]`, for collections
  lua_CFunction finalizer = nullptr;
  /// Fields that are columns of what an object stands for; they come before `fields`. `read` finds the object at 1 and pushes one.
  BoundList columns = {};
  void (*read)(lua_State* thread, const BoundColumn& column) = nullptr;
};

/// __eq of handles, which are of the same thing when these members are equal.
template <class Handle, auto... members>
bool same(lua_State* thread) {
  const auto* left = find_object<Handle>(thread, 1);
  const auto* right = find_object<Handle>(thread, 2);
  return left != nullptr && right != nullptr && (... && (left->*members == right->*members));
}

/// ClassBinding::read of a class whose objects the columns describe.
template <class T>
void read_object(lua_State* thread, const BoundColumn& column) {
  push_value(thread, column.value(&check_object<T>(thread, 1)));
}

/// Creates the metatable: __index over fields, then methods, then "__index" of the metamethods, then an error that suggests the nearest name.
void open_class(lua_State* thread, const ClassBinding& binding);

/// Of columns, fields and methods.
std::vector<std::string> member_names(const ClassBinding& binding);

/// The error of a name that `owner` does not have, with the nearest of `names`.
Error no_such_field(std::string_view owner, std::string_view name,
                    std::span<const std::string> names);

}  // namespace rpl
