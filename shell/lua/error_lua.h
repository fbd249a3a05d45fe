// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

struct lua_State;

namespace rpl {

/// What a failing call raises in Lua: `code`, `message`, `hint` and `where` are readable, tostring() gives the sentence.
struct ScriptError {
  Error error;
  std::string where;      ///< "triage.lua:12", "" when raised outside a script
  std::string traceback;  ///< filled in when nobody caught it
};

/// Adds the metatable of errors to a fresh state.
void open_errors(lua_State* thread);

void push_error(lua_State* thread, ScriptError error);

/// Raises `error` with the position of the Lua code that called. Never returns.
[[noreturn]] void raise_error(lua_State* thread, Error error);

/// The error value at `index`: an error object, a table with `code` and `message`, or a string as Errc::script.
ScriptError error_at(lua_State* thread, int index);

/// What to do about an error that Lua itself raised, from its message; "" where the message says it all. Lua's own texts
/// know neither that `rpl.trace` is nil while nothing is open, nor that a column without value is.
std::string hint_for_lua_error(std::string_view message);

/// For lua_pcall: makes an error object of whatever was raised and adds the traceback.
int add_traceback(lua_State* thread);

}  // namespace rpl
