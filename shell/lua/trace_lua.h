// SPDX-License-Identifier: MIT
#pragma once

#include "shell/core/session/session_log.h"
#include "shell/lua/handles.h"

/// Access to what handles point at, shared by the bindings of traces, kernels and dispatches.
namespace rpl {

/// The trace behind a handle; raises when it was closed.
const Trace& live(lua_State* thread, TraceShare& share);

/// Runs a command on the trace of a handle, with the Lua arguments from `first` on.
Document run_on_trace(lua_State* thread, const TraceShare& share, std::string_view path, int first);

/// The result of a command without arguments, computed once for a trace.
std::shared_ptr<const Document> kept_result(lua_State* thread, TraceShare& share,
                                            const std::string& path);

void push_kernel(lua_State* thread, const TracePtr& share, std::uint32_t kernel);
void push_dispatch(lua_State* thread, const TracePtr& share, std::uint32_t row);

/// "s3", "q0", "a1" as a value; null for none.
Value numbered_id(char letter, std::uint32_t index);

/// Adds the fields of `more` that `record` does not have.
void add_missing(Record& record, const Record& more);
/// For __pairs: pushes an iterator over the fields in their order.
int push_pairs(lua_State* thread, Record record);

/// Fills the `__index` role for objects whose further fields are those of a command's record: pushes the field, or raises with
/// the names of `binding` and of the record.
int push_record_field(lua_State* thread, const ClassBinding& binding, const Document& document,
                      const Record& record, std::string_view name);

}  // namespace rpl
