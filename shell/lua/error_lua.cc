// SPDX-License-Identifier: MIT
#include "shell/lua/error_lua.h"

#include <cstdlib>
#include <lua.hpp>

#include "shell/lua/error_hints.h"
#include "shell/lua/handles.h"

namespace rpl {

template <>
inline constexpr const char* type_name<ScriptError> = "rpl.Error";

namespace error_binding {
namespace {

int tostring(lua_State* thread) {
  const ScriptError& error = check_object<ScriptError>(thread, 1);
  std::string text = error.where.empty() ? "" : error.where + ": ";
  text += error.error.message;
  if (!error.error.hint.empty()) text += " (" + error.error.hint + ")";
  lua_pushlstring(thread, text.data(), text.size());
  return 1;
}

template <auto member>
int get(lua_State* thread) {
  const std::string& text = member(check_object<ScriptError>(thread, 1));
  lua_pushlstring(thread, text.data(), text.size());
  return 1;
}

int get_code(lua_State* thread) {
  const std::string_view code = to_string(check_object<ScriptError>(thread, 1).error.code);
  lua_pushlstring(thread, code.data(), code.size());
  return 1;
}

constexpr auto message_of = [](const ScriptError& error) -> const std::string& {
  return error.error.message;
};
constexpr auto hint_of = [](const ScriptError& error) -> const std::string& {
  return error.error.hint;
};
constexpr auto where_of = [](const ScriptError& error) -> const std::string& {
  return error.where;
};

constexpr FieldBinding kFields[] = {
    {"code", "string", "What kind of failure: not_found, ambiguous, usage, corrupt, …", get_code},
    {"message", "string", "One sentence.", get<message_of>},
    {"hint", "string", "What to do next; may be empty.", get<hint_of>},
    {"where", "string", "Script and line that were executing; may be empty.", get<where_of>},
};
constexpr luaL_Reg kMetamethods[] = {{"__tostring", thunk<&tostring>}};

std::string position(lua_State* thread) {
  luaL_where(thread, 1);
  std::string text = lua_tostring(thread, -1);
  lua_pop(thread, 1);
  if (text.ends_with(": ")) text.resize(text.size() - 2);
  // What was typed at the prompt needs no position.
  return text.starts_with("(lua)") ? std::string() : text;
}

std::string text_field(lua_State* thread, int index, const char* name) {
  lua_pushstring(thread, name);
  lua_rawget(thread, index);
  std::size_t size = 0;
  const char* text = lua_tolstring(thread, -1, &size);
  std::string out = text == nullptr ? std::string() : std::string(text, size);
  lua_pop(thread, 1);
  return out;
}

}  // namespace
}  // namespace error_binding

const ClassBinding kErrorClass{
    .name = type_name<ScriptError>,
    .help =
        "A failure. pcall and error handlers receive it; uncaught, its message and hint are shown.",
    .fields = error_binding::kFields,
    .methods = {},
    .metamethods = error_binding::kMetamethods,
    .finalizer = detail::finalize<ScriptError>,
};

void open_errors(lua_State* thread) { open_class(thread, kErrorClass); }

void push_error(lua_State* thread, ScriptError error) {
  push_object<ScriptError>(thread, std::move(error));
}

void raise_error(lua_State* thread, Error error) {
  push_error(thread, {std::move(error), error_binding::position(thread), ""});
  lua_error(thread);
  std::abort();
}

ScriptError error_at(lua_State* thread, int index) {
  index = lua_absindex(thread, index);
  if (const ScriptError* error = find_object<ScriptError>(thread, index)) return *error;
  if (lua_type(thread, index) == LUA_TTABLE) {
    const std::string code = error_binding::text_field(thread, index, "code");
    const std::string message = error_binding::text_field(thread, index, "message");
    if (!message.empty()) {
      return {{code.empty() ? Errc::script : errc_from_string(code), message,
               error_binding::text_field(thread, index, "hint")},
              "",
              ""};
    }
  }
  if (lua_isnil(thread, index)) return {{Errc::script, "error(nil) was raised", ""}, "", ""};
  std::size_t size = 0;
  const char* text = luaL_tolstring(thread, index, &size);
  ScriptError out{{Errc::script, std::string(text, size), ""}, "", ""};
  lua_pop(thread, 1);
  if (lua_type(thread, index) == LUA_TSTRING) {
    out.error.hint = hint_for_lua_error(out.error.message);
  } else if (lua_type(thread, index) == LUA_TTABLE) {
    out.error = {Errc::script,
                 "an error was raised that does not say what is wrong: a table without 'message'",
                 "error{code = \"not_found\", message = \"…\", hint = \"…\"}"};
  }
  return out;
}

int add_traceback(lua_State* thread) {
  ScriptError error = error_at(thread, 1);
  if (error.traceback.empty()) {
    luaL_traceback(thread, thread, nullptr, 1);
    error.traceback = lua_tostring(thread, -1);
  }
  push_error(thread, std::move(error));
  return 1;
}

}  // namespace rpl
