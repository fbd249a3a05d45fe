// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "shell/core/command/registry.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"

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

/// The result of a command, computed once for this handle.
std::shared_ptr<const Document> kept_of(lua_State* thread, const AttHandle& handle,
                                        const char* path, Arguments arguments = {}) {
  must_be_open(thread, handle);
  auto& kept = (*handle.results)[path];
  if (!kept)
    kept = std::make_shared<const Document>(run_att(thread, handle, path, std::move(arguments)));
  return kept;
}

/// The whole table of a command; some show but the first rows unless told otherwise.
template <Literal path, bool shortens>
RowsHandle att_table(lua_State* thread) {
  auto arguments = shortens ? Arguments{{"top", Value(0)}} : Arguments{};
  return {.rows = std::make_shared<Rows>(
              kept_of(thread, self(thread), path.text, std::move(arguments)))};
}

constexpr auto kColumns =
    bound_to<AttHandle>(column<&AttHandle::id>("id", "att1, att2, …").as(Type::id),
                        column<&AttHandle::path>("path", "The folder or file."));

std::string id(AttHandle& handle) { return handle.id; }

Document summary(lua_State* thread, AttHandle& handle) {
  must_be_open(thread, handle);
  Arguments arguments;
  if (lua_istable(thread, 2)) {
    const Value given = must(thread, value_at(thread, 2));
    for (const auto& [name, value] : record_in(given)) arguments[name] = value;
  }
  return run_att(thread, handle, "att summary", std::move(arguments));
}

Result<Document> diff(lua_State* thread, AttHandle& handle) {
  must_be_open(thread, handle);
  const auto* other = find_object<AttHandle>(thread, 2);
  const std::string after = other ? other->id : std::string(luaL_checkstring(thread, 2));
  LuaHost& host = LuaHost::of(thread);
  return host.run(*host.context().registry().find("att diff"),
                  {{"before", Value(handle.id)}, {"after", Value(after)}, {"top", Value(0)}});
}

void close(lua_State* thread, AttHandle& handle) {
  if (!LuaHost::of(thread).context().workspace().thread_traces.close(handle.id))
    raise_error(thread, {Errc::not_found, fmt::format("{} was closed before", handle.id), ""});
}

const Record& facts(lua_State* thread) {
  return kept_of(thread, self(thread), "att summary")->record;
}

int further_field(lua_State* thread) {
  if (lua_type(thread, 2) != LUA_TSTRING) return 0;
  const auto document = kept_of(thread, self(thread), "att summary");
  return push_record_field(thread, kAttClass, *document, document->record, lua_tostring(thread, 2));
}

int pairs(lua_State* thread) { return push_pairs(thread, facts(thread)); }
Value totable(lua_State* thread, AttHandle&) { return Value(facts(thread)); }
std::string tostring(AttHandle& handle) { return fmt::format("{}: {}", handle.id, handle.path); }

constexpr FieldBinding kFields[] = {
    {"instructions", "rpl.Rows",
     "What `att insts` shows, all of it: line, text, hits, latency, stall …",
     thunk<&att_table<"att insts", false>>},
    {"lines", "rpl.Rows", "What `att lines` shows, all of it.",
     thunk<&att_table<"att lines", true>>},
    {"waits", "rpl.Rows", "What `att waits` shows, all of it; reads the wave files.",
     thunk<&att_table<"att waits", true>>},
};

constexpr FunctionBinding kMethods[] = {
    {"summary", thunk<&summary>, "options?: table", "rpl.Result",
     "What `att summary` shows; {waves=true} reads the wave files.", kReads},
    {"diff", thunk<&diff>, "after: rpl.Att|string", "rpl.Result",
     "What `att diff` shows of this and a later build.", kReads},
    {"totable", thunk<&totable>, "", "table", "The fields of `att summary` as a plain table.",
     kReads},
    {"close", thunk<&close>, "", "", "Closes it.", kReads},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&further_field>}, {"__tostring", thunk<&tostring>},
    {"__pairs", thunk<&pairs>},         {"__eq", thunk<&same<AttHandle, &AttHandle::id>>},
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
    .columns = att_binding::kColumns,
    .read = read_object<AttHandle>,
};

std::optional<AttHandle> current_att(LuaHost& host) {
  const auto& entry = host.context().workspace().thread_traces.current();
  if (!entry) return std::nullopt;
  return AttHandle{.id = entry->id, .path = entry->path};
}

}  // namespace rpl
