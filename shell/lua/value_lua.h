// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/document/document.h"
#include "engine/document/value.h"

struct lua_State;

namespace rpl {

/// Pushes a value; lists and records become tables, null becomes nil.
void push_value(lua_State* thread, const Value& value);

/// The Lua value at `index`: sequences become lists, other tables records with sorted keys, handles what they stand for on a command
/// line ("k7f3a2c", "t1"). Functions, mixed tables, cycles and too deep nesting are errors that say where.
Result<Value> value_at(lua_State* thread, int index);

/// The sentinel for null inside a JSON array, where nil would end the sequence: rpl.json.null.
void push_null(lua_State* thread);
bool is_null_at(lua_State* thread, int index);

}  // namespace rpl
