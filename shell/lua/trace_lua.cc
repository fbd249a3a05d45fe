// SPDX-License-Identifier: MIT
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"
#include "shell/lua/module.h"

namespace rpl {
namespace trace_binding {
namespace {

TraceHandle& self(lua_State* thread) { return check_object<TraceHandle>(thread, 1); }

std::string id(TraceHandle& handle) { return handle.share->id; }

bool closed(lua_State* thread, TraceHandle& handle) {
  return !LuaHost::of(thread).live(*handle.share).has_value();
}

std::vector<std::string> paths_of(const Trace& trace) {
  std::vector<std::string> paths;
  for (const TraceFile& file : trace.entities().files) paths.push_back(file.path);
  return paths;
}

std::int64_t start_of(const Trace& trace) { return trace.extent_ns().first; }
std::int64_t end_of(const Trace& trace) { return trace.extent_ns().second; }

constexpr auto kColumns = bound_to<Trace>(
    column<&paths_of>("paths", "The files it was read from."),
    column<&start_of>("start_ns", "Start of the first dispatch."),
    column<&end_of>("end_ns", "End of the last dispatch."),
    column<&Trace::entities, &TraceEntities::notes>("notes", "What was odd about the files."));

void read(lua_State* thread, const BoundColumn& column) {
  push_value(thread, column.value(&live(thread, *self(thread).share)));
}

/// The table of a command as a collection of this trace.
template <Literal path, RowKind element = RowKind::row>
RowsHandle collection(lua_State* thread, TraceHandle& handle) {
  live(thread, *handle.share);
  return {std::make_shared<Rows>(kept_result(thread, *handle.share, path.text)), element,
          handle.share};
}

/// The table of a command that depends on more than the trace (settings, other open recordings): run at each use.
template <Literal path>
RowsHandle fresh_collection(lua_State* thread, TraceHandle& handle) {
  live(thread, *handle.share);
  auto document = std::make_shared<const Document>(
      run_on_trace(thread, *handle.share, path.text, lua_gettop(thread) + 1));
  return {std::make_shared<Rows>(std::move(document)), RowKind::row, handle.share};
}

DispatchesHandle dispatches(lua_State* thread, TraceHandle& handle) {
  live(thread, *handle.share);
  return {handle.share, {}};
}

DagHandle dag(lua_State* thread, TraceHandle& handle) {
  live(thread, *handle.share);
  return {handle.share};
}

/// A method that is a command run on this trace.
template <Literal path>
Document analyse(lua_State* thread, TraceHandle& handle) {
  return run_on_trace(thread, *handle.share, path.text, 2);
}

/// t:run("info kernels", {limit = 3}): any command on this trace.
Document run(lua_State* thread, TraceHandle& handle, std::string_view path) {
  return run_on_trace(thread, *handle.share, path, 3);
}

Status close(lua_State* thread, TraceHandle& handle) {
  LuaHost& host = LuaHost::of(thread);
  TRY(host.live(*handle.share));
  return host.close(handle.share->id);
}

/// At the end of the block of `local t <close> = rpl.open(path)`.
Status leave(lua_State* thread, TraceHandle& handle) {
  return closed(thread, handle) ? Status() : close(thread, handle);
}

Status select(lua_State* thread, TraceHandle& handle) {
  LuaHost& host = LuaHost::of(thread);
  TRY(host.live(*handle.share));
  TRY(host.context().workspace().select(handle.share->id));
  return {};
}

Result<KernelHandle> kernel(lua_State* thread, TraceHandle& handle, const std::string& reference) {
  const Trace& trace = live(thread, *handle.share);
  const auto& workspace = LuaHost::of(thread).context().workspace();
  const std::uint32_t index = TRY(resolve_kernel(workspace, trace, reference));
  return KernelHandle{handle.share, index};
}

Result<DispatchHandle> dispatch_of(lua_State* thread, TraceHandle& handle) {
  const Trace& trace = live(thread, *handle.share);
  const auto& workspace = LuaHost::of(thread).context().workspace();
  const std::string reference = luaL_tolstring(thread, 2, nullptr);
  const std::uint32_t row = TRY(resolve_dispatch(workspace, trace, reference));
  return DispatchHandle{handle.share, row};
}

int further_field(lua_State* thread) {
  TraceHandle& handle = self(thread);
  live(thread, *handle.share);
  if (lua_type(thread, 2) != LUA_TSTRING) return 0;
  const auto document = kept_result(thread, *handle.share, "info trace");
  return push_record_field(thread, kTraceClass, *document, document->record,
                           lua_tostring(thread, 2));
}

Record record_of(lua_State* thread, TraceHandle& handle) {
  Record record{{"id", Value(handle.share->id)},
                {"paths", kColumns.columns[0].value(&live(thread, *handle.share))}};
  add_missing(record, kept_result(thread, *handle.share, "info trace")->record);
  return record;
}

int pairs(lua_State* thread) { return push_pairs(thread, record_of(thread, self(thread))); }

Value totable(lua_State* thread, TraceHandle& handle) { return Value(record_of(thread, handle)); }

/// Upvalues: table of names, table of values, how many were given.
int next_named(lua_State* thread) {
  const lua_Integer at = lua_tointeger(thread, lua_upvalueindex(3)) + 1;
  lua_pushinteger(thread, at);
  lua_copy(thread, -1, lua_upvalueindex(3));
  if (lua_rawgeti(thread, lua_upvalueindex(1), at) == LUA_TNIL) return 1;
  lua_rawgeti(thread, lua_upvalueindex(2), at);
  return 2;
}

std::string tostring(lua_State* thread, TraceHandle& handle) {
  auto trace = LuaHost::of(thread).live(*handle.share);
  if (!trace) return fmt::format("{} (closed)", handle.share->id);
  const TraceEntities& entities = (*trace)->entities();
  return fmt::format("{}: {}, {} dispatches of {} kernels", handle.share->id,
                     entities.files.empty() ? "in memory" : entities.files[0].path,
                     (*trace)->size(), entities.kernels.size());
}

constexpr FieldBinding kFields[] = {
    {"id", "string", "t1, t2, …", thunk<&id>},
    {"closed", "boolean", "Whether it was closed; every other use of it then fails.",
     thunk<&closed>},
    {"dispatches", "rpl.Dispatches", "All dispatches, in order of their start.",
     thunk<&dispatches>},
    {"kernels", "rpl.Rows", "All kernels, the one with most time first.",
     thunk<&collection<"info kernels", RowKind::kernel>>},
    {"copies", "rpl.Rows", "Memory copies.", thunk<&collection<"info copies">>},
    {"streams", "rpl.Rows", "Streams.", thunk<&collection<"info streams">>},
    {"queues", "rpl.Rows", "Queues.", thunk<&collection<"info queues">>},
    {"agents", "rpl.Rows", "Agents.", thunk<&collection<"info agents">>},
    {"dag", "rpl.Dag", "The dependency graph.", thunk<&dag>},
    {"roofline", "rpl.Rows",
     "Kernels at each memory level: kernel, level, arithmetic_intensity, achieved_gflops, "
     "attainable_gflops, bound …; none without counters. Computed at each use.",
     thunk<&fresh_collection<"roofline">>},
    {"counters", "rpl.Rows",
     "Hardware counters: counter, samples, sum, mean … Computed at each use.",
     thunk<&fresh_collection<"info counters">>},
    {"metrics", "rpl.Rows",
     "What counters amount to, for each kernel: id, metric, value, unit … Computed at each use.",
     thunk<&fresh_collection<"counters metrics">>},
    {"diagnosis", "rpl.Rows",
     "What limits each kernel: id, label, confidence, evidence … Computed at each use.",
     thunk<&fresh_collection<"classify">>},
};

constexpr FunctionBinding kMethods[] = {
    {"kernel", thunk<&kernel>, "reference: string", "rpl.Kernel",
     "A kernel by id, exact name, unique part of a name or /regex/.", kReads},
    {"dispatch", thunk<&dispatch_of>, "reference: string|integer", "rpl.Dispatch",
     "A dispatch by id (\"d12\") or number.", kReads},
    {"summary", thunk<&analyse<"summary">>, "", "rpl.Result", "What `summary` shows.", kReads},
    {"critical_path", thunk<&analyse<"critpath">>, "options?: table", "rpl.Result",
     "What `critpath` shows; takes its options.", kReads},
    {"what_if", thunk<&analyse<"whatif">>, "options: table", "rpl.Result",
     "What `whatif` shows: {kernel=\"gemm\", speedup=2}.", kReads},
    {"slack", thunk<&analyse<"slack">>, "options?: table", "rpl.Result", "What `slack` shows.",
     kReads},
    {"gaps", thunk<&analyse<"gaps">>, "options?: table", "rpl.Result", "What `gaps` shows.",
     kReads},
    {"overlap", thunk<&analyse<"overlap">>, "options?: table", "rpl.Result",
     "What `overlap` shows.", kReads},
    {"run", thunk<&run>, "command: string, options?: table", "rpl.Result",
     "Any command on this trace: t:run(\"info kernels\", {limit=3}).", kReads, kWhatItRuns},
    {"select", thunk<&select>, "", "", "Makes it the current trace.", kReads},
    {"totable", thunk<&totable>, "", "table", "The fields of `info trace` as a plain table.",
     kReads},
    {"close", thunk<&close>, "", "",
     "Closes it and frees its memory; `local t <close> = rpl.open(path)` does so at the end of the "
     "block.",
     kReads},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&further_field>}, {"__tostring", thunk<&tostring>},
    {"__pairs", thunk<&pairs>},         {"__eq", thunk<&same<TraceHandle, &TraceHandle::share>>},
    {"__rpl_value", thunk<&id>},        {"__close", thunk<&leave>},
};

}  // namespace
}  // namespace trace_binding

const ClassBinding kTraceClass{
    .name = type_name<TraceHandle>,
    .help = "One open recording. The fields of `info trace` can be read too.",
    .fields = trace_binding::kFields,
    .methods = trace_binding::kMethods,
    .metamethods = trace_binding::kMetamethods,
    .finalizer = detail::finalize<TraceHandle>,
    .columns = trace_binding::kColumns,
    .read = trace_binding::read,
};

const Trace& live(lua_State* thread, TraceShare& share) {
  return *must(thread, LuaHost::of(thread).live(share));
}

Document run_on_trace(lua_State* thread, const TraceShare& share, std::string_view path,
                      int first) {
  LuaHost& host = LuaHost::of(thread);
  const Command* command = host.context().registry().find(path);
  if (command == nullptr) {
    raise_error(thread, {Errc::not_found, fmt::format("there is no command '{}'", path),
                         "help lists them"});
  }
  return must(thread, run_from_lua(thread, *command, first, share.id));
}

std::shared_ptr<const Document> kept_result(lua_State* thread, TraceShare& share,
                                            const std::string& path) {
  std::shared_ptr<const Document>& kept = share.results[path];
  if (!kept) {
    const int top = lua_gettop(thread);
    kept = std::make_shared<const Document>(run_on_trace(thread, share, path, top + 1));
  }
  return kept;
}

void add_missing(Record& record, const Record& more) {
  for (const auto& [name, value] : more) {
    const auto found = std::ranges::find(record, name, &std::pair<std::string, Value>::first);
    if (found == record.end()) record.emplace_back(name, value);
  }
}

int push_pairs(lua_State* thread, Record record) {
  lua_newtable(thread);
  lua_newtable(thread);
  lua_Integer at = 0;
  for (const auto& [name, value] : record) {
    ++at;
    lua_pushlstring(thread, name.data(), name.size());
    lua_rawseti(thread, -3, at);
    push_value(thread, value);
    lua_rawseti(thread, -2, at);
  }
  lua_pushinteger(thread, 0);
  lua_pushcclosure(thread, trace_binding::next_named, 3);
  return 1;
}

int push_record_field(lua_State* thread, const ClassBinding& binding, const Document& document,
                      const Record& record, std::string_view name) {
  const auto found = std::ranges::find(record, name, &std::pair<std::string, Value>::first);
  if (found != record.end()) {
    push_value(thread, found->second);
    return 1;
  }
  std::vector<std::string> names = member_names(binding);
  for (const auto& [known, value] : record) names.push_back(known);
  for (const Column& field : document.fields) {
    if (field.name == name) return 0;
    names.push_back(field.name);
  }
  raise_error(thread, no_such_field(binding.name, name, names));
}

}  // namespace rpl
