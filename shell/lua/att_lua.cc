// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "shell/core/command/registry.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"
#include "shell/lua/trace_lua.h"

/// `rpl.Att`: a thread trace, its instructions, lines and waits.
namespace rpl {
namespace att_binding {
namespace {

AttHandle& self(lua_State* thread) { return check_object<AttHandle>(thread, 1); }

/// Raises when the trace was closed.
void must_be_open(lua_State* thread, const AttHandle& handle) {
  if (!LuaHost::of(thread).context().workspace().thread_traces.find(handle.id))
    raise_error(thread, {Errc::not_found, fmt::format("{} was closed", handle.id),
                         "open it again: rpl.open(path)"});
}

/// Runs `att …` on this trace. It stays open in the session as long as nobody closes it there.
Document run_att(lua_State* thread, const AttHandle& handle, const char* path,
                 Arguments arguments) {
  LuaHost& host = LuaHost::of(thread);
  const Command* command = host.context().registry().find(path);
  arguments["att"] = Value(handle.id);
  return must(thread, host.run(*command, arguments));
}

/// The whole table of a command, computed once for this handle.
int att_table(lua_State* thread, const char* path, Arguments arguments) {
  AttHandle& handle = self(thread);
  must_be_open(thread, handle);
  auto& kept = (*handle.results)[path];
  if (!kept)
    kept = std::make_shared<const Document>(run_att(thread, handle, path, std::move(arguments)));
  push_object(thread, RowsHandle{.rows = std::make_shared<Rows>(kept)});
  return 1;
}

int instructions(lua_State* thread) { return att_table(thread, "att insts", {}); }
int lines(lua_State* thread) { return att_table(thread, "att lines", {{"top", Value(0)}}); }
int waits(lua_State* thread) { return att_table(thread, "att waits", {{"top", Value(0)}}); }

std::string id(AttHandle& handle) { return handle.id; }
std::string path(AttHandle& handle) { return handle.path; }

int summary(lua_State* thread) {
  AttHandle& handle = self(thread);
  must_be_open(thread, handle);
  Arguments arguments;
  if (lua_istable(thread, 2)) {
    const Value given = must(thread, value_at(thread, 2));
    for (const auto& [name, value] : given.as<Record>() ? *given.as<Record>() : Record{})
      arguments[name] = value;
  }
  push_document(thread, run_att(thread, handle, "att summary", std::move(arguments)));
  return 1;
}

int diff(lua_State* thread) {
  AttHandle& handle = self(thread);
  must_be_open(thread, handle);
  const auto* other = find_object<AttHandle>(thread, 2);
  const std::string after = other ? other->id : std::string(luaL_checkstring(thread, 2));
  LuaHost& host = LuaHost::of(thread);
  const Command* command = host.context().registry().find("att diff");
  push_document(thread, must(thread, host.run(*command, {{"before", Value(handle.id)},
                                                         {"after", Value(after)},
                                                         {"top", Value(0)}})));
  return 1;
}

void close(lua_State* thread, AttHandle& handle) {
  if (!LuaHost::of(thread).context().workspace().thread_traces.close(handle.id))
    raise_error(thread, {Errc::not_found, fmt::format("{} was closed before", handle.id), ""});
}

const Document& facts(lua_State* thread, AttHandle& handle) {
  must_be_open(thread, handle);
  auto& kept = (*handle.results)["att summary"];
  if (!kept) kept = std::make_shared<const Document>(run_att(thread, handle, "att summary", {}));
  return *kept;
}

int further_field(lua_State* thread) {
  AttHandle& handle = self(thread);
  if (lua_type(thread, 2) != LUA_TSTRING) return 0;
  const Document& document = facts(thread, handle);
  return push_record_field(thread, kAttClass, document, document.record, lua_tostring(thread, 2));
}

int pairs(lua_State* thread) { return push_pairs(thread, facts(thread, self(thread)).record); }
Value totable(lua_State* thread, AttHandle& handle) { return Value(facts(thread, handle).record); }
std::string tostring(AttHandle& handle) { return fmt::format("{}: {}", handle.id, handle.path); }

bool equal(lua_State* thread) {
  const auto* left = find_object<AttHandle>(thread, 1);
  const auto* right = find_object<AttHandle>(thread, 2);
  return left != nullptr && right != nullptr && left->id == right->id;
}

constexpr FieldBinding kFields[] = {
    {"id", "string", "att1, att2, …", thunk<&id>},
    {"path", "string", "The folder or file.", thunk<&path>},
    {"instructions", "rpl.Rows",
     "What `att insts` shows, all of it: line, text, hits, latency, stall …", thunk<&instructions>},
    {"lines", "rpl.Rows", "What `att lines` shows, all of it.", thunk<&lines>},
    {"waits", "rpl.Rows", "What `att waits` shows, all of it; reads the wave files.",
     thunk<&waits>},
};

constexpr FunctionBinding kMethods[] = {
    {"summary", thunk<&summary>, "options?: table", "rpl.Result",
     "What `att summary` shows; {waves=true} reads the wave files."},
    {"diff", thunk<&diff>, "after: rpl.Att|string", "rpl.Result",
     "What `att diff` shows of this and a later build."},
    {"totable", thunk<&totable>, "", "table", "The fields of `att summary` as a plain table."},
    {"close", thunk<&close>, "", "", "Closes it."},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&further_field>}, {"__tostring", thunk<&tostring>},
    {"__pairs", thunk<&pairs>},         {"__eq", thunk<&equal>},
    {"__rpl_value", thunk<&id>},
};

}  // namespace
}  // namespace att_binding

const ClassBinding kAttClass{
    .name = type_name<AttHandle>,
    .help = "One open thread trace, or PC samples. The fields of `att summary` can be read too.",
    .fields = att_binding::kFields,
    .methods = att_binding::kMethods,
    .metamethods = att_binding::kMetamethods,
    .finalizer = detail::finalize<AttHandle>,
};

bool push_current_att(lua_State* thread) {
  const auto& entry = LuaHost::of(thread).context().workspace().thread_traces.current();
  if (!entry) return false;
  push_object(thread, AttHandle{.id = entry->id, .path = entry->path});
  return true;
}

}  // namespace rpl
