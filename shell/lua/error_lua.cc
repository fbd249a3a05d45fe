// SPDX-License-Identifier: MIT
#include "shell/lua/error_lua.h"

#include <array>
#include <cstdlib>
#include <lua.hpp>

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

constexpr auto kColumns = bound_to<ScriptError>(
    column<&ScriptError::error, &Error::code>(
        "code", "What kind of failure: not_found, ambiguous, usage, corrupt, …"),
    column<&ScriptError::error, &Error::message>("message", "One sentence."),
    column<&ScriptError::error, &Error::hint>("hint", "What to do next; may be empty."),
    column<&ScriptError::where>("where", "Script and line that were executing; may be empty."));
constexpr luaL_Reg kMetamethods[] = {{"__tostring", thunk<&tostring>}};

std::string position(lua_State* thread) {
  luaL_where(thread, 1);
  std::string text = lua_tostring(thread, -1);
  lua_pop(thread, 1);
  if (text.ends_with(": ")) text.erase(text.size() - 2);
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

struct Hint {
  std::string_view first, second;  ///< both stand in the message
  std::string_view hint;
};

/// The first that fits counts: the particular stand before the general.
constexpr std::array kHints{
    Hint{"index a nil value", "'trace'",
         "no trace is open: rpl.open(path), or rpl.use(path), which says so by itself"},
    Hint{"index a nil value", "'capture'",
         "no capture is open: rpl.open(folder), or 'capture run' makes one"},
    Hint{"index a nil value", "'att'", "no thread trace is open: rpl.open(folder)"},
    Hint{"index a nil value", "'kernel'",
         "rpl.kernel is nil while none is selected: 'select ID', or take one of rpl.trace.kernels"},
    Hint{"index a nil value", "'dispatch'",
         "rpl.dispatch is nil while none is selected: 'select ID', or take one of "
         "rpl.trace.dispatches"},
    Hint{"index a nil value", "'?'",
         "the list has no element of that number; #list says how many there are"},
    Hint{"index a nil value", "'integer index'",
         "the list has no element of that number; #list says how many there are"},
    Hint{"index a nil value", "",
         "nil is what was never set, or was not found; 'set trace-back on' shows how it came to "
         "this line"},
    Hint{"arithmetic on a nil value", "",
         "a column without value is nil: test it, or assume '(x or 0)'"},
    Hint{"compare", "nil", "a column without value is nil: test it before, or compare '(x or 0)'"},
    Hint{"concatenate a nil value", "",
         "a column without value is nil: 'tostring(x)' makes text of anything"},
    Hint{"call a nil value", "",
         "there is no function of that name; 'print' the table to see what it has"},
    Hint{"arithmetic on a rpl.", "",
         "an object is not a number: name the field, as in d.duration_ns"},
    Hint{"concatenate a rpl.", "", "'tostring(x)' makes text of an object"},
    Hint{"compare rpl.", "", "compare fields, as in a.duration_ns < b.duration_ns"},
    Hint{"compare two rpl.", "", "compare fields, as in a.duration_ns < b.duration_ns"},
    Hint{"for iterator", "",
         "collections are walked with ipairs(x), or with x:each(\"column\", …) for many rows"},
    Hint{"expected, got no value)", "(rpl.", "methods are called with a colon: object:method()"},
    Hint{"stack overflow", "", "does a function call itself without end?"},
};

/// "<name> expected near 'until'": a command whose name is a word of Lua.
std::string about_keyword(std::string_view message) {
  constexpr std::string_view kExpected = "<name> expected near '";
  const std::size_t at = message.find(kExpected);
  if (at == std::string_view::npos) return {};
  const std::string_view word = message.substr(
      at + kExpected.size(), message.find('\'', at + kExpected.size()) - at - kExpected.size());
  if (word.empty() ||
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos)
    return {};
  return fmt::format(
      "'{}' is a word of Lua; as the name of a command it has an underscore behind it: rpl.cmd.{}_",
      word, word);
}

}  // namespace
}  // namespace error_binding

const ClassBinding kErrorClass{
    .name = type_name<ScriptError>,
    .help =
        "A failure. pcall and error handlers receive it; uncaught, its message and hint are shown.",
    .fields = {},
    .methods = {},
    .metamethods = error_binding::kMetamethods,
    .finalizer = detail::finalize<ScriptError>,
    .columns = error_binding::kColumns,
    .read = read_object<ScriptError>,
};

std::string hint_for_lua_error(std::string_view message) {
  for (const error_binding::Hint& one : error_binding::kHints) {
    if (message.find(one.first) != std::string_view::npos &&
        message.find(one.second) != std::string_view::npos)
      return std::string(one.hint);
  }
  return error_binding::about_keyword(message);
}

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
