// SPDX-License-Identifier: MIT
#include "shell/lua/trace_lua.h"

#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/commands_lua.h"

namespace rpl {
namespace trace_binding {
namespace {

TraceHandle& self(lua_State* thread) { return check_object<TraceHandle>(thread, 1); }

std::string id(TraceHandle& handle) { return handle.share->id; }

bool closed(lua_State* thread, TraceHandle& handle) {
  return !LuaHost::of(thread).live(*handle.share).has_value();
}

Value paths(lua_State* thread, TraceHandle& handle) {
  List list;
  for (const TraceFile& file : live(thread, *handle.share).entities().files) {
    list.emplace_back(file.path);
  }
  return Value(std::move(list));
}

Value notes(lua_State* thread, TraceHandle& handle) {
  List list;
  for (const std::string& note : live(thread, *handle.share).entities().notes) {
    list.emplace_back(note);
  }
  return Value(std::move(list));
}

Value start_ns(lua_State* thread, TraceHandle& handle) {
  return Value(live(thread, *handle.share).extent_ns().first);
}

Value end_ns(lua_State* thread, TraceHandle& handle) {
  return Value(live(thread, *handle.share).extent_ns().second);
}

/// The table of a command as a collection of this trace.
template <RowKind element>
int collection(lua_State* thread, const char* path) {
  const TracePtr share = self(thread).share;
  live(thread, *share);
  push_object(thread, RowsHandle{std::make_shared<Rows>(kept_result(thread, *share, path)), element,
                                 share});
  return 1;
}

int kernels(lua_State* thread) { return collection<RowKind::kernel>(thread, "info kernels"); }
int copies(lua_State* thread) { return collection<RowKind::row>(thread, "info copies"); }
int streams(lua_State* thread) { return collection<RowKind::row>(thread, "info streams"); }
int queues(lua_State* thread) { return collection<RowKind::row>(thread, "info queues"); }
int agents(lua_State* thread) { return collection<RowKind::row>(thread, "info agents"); }

/// The table of a command that depends on more than the trace (settings, other open recordings): run at each use.
int fresh_collection(lua_State* thread, const char* path) {
  const TracePtr share = self(thread).share;
  live(thread, *share);
  auto document =
      std::make_shared<const Document>(run_on_trace(thread, *share, path, lua_gettop(thread) + 1));
  push_object(thread, RowsHandle{std::make_shared<Rows>(std::move(document)), RowKind::row, share});
  return 1;
}

int roofline(lua_State* thread) { return fresh_collection(thread, "roofline"); }
int counters(lua_State* thread) { return fresh_collection(thread, "info counters"); }
int metrics(lua_State* thread) { return fresh_collection(thread, "counters metrics"); }
int diagnosis(lua_State* thread) { return fresh_collection(thread, "classify"); }

int dispatches(lua_State* thread) {
  live(thread, *self(thread).share);
  push_object(thread, DispatchesHandle{self(thread).share, {}});
  return 1;
}

int dag(lua_State* thread) {
  live(thread, *self(thread).share);
  push_object(thread, DagHandle{self(thread).share});
  return 1;
}

/// A method that is a command run on this trace.
int analyse(lua_State* thread, const char* path) {
  push_document(thread, run_on_trace(thread, *self(thread).share, path, 2));
  return 1;
}

int summary(lua_State* thread) { return analyse(thread, "summary"); }
int critical_path(lua_State* thread) { return analyse(thread, "critpath"); }
int what_if(lua_State* thread) { return analyse(thread, "whatif"); }
int slack(lua_State* thread) { return analyse(thread, "slack"); }
int gaps(lua_State* thread) { return analyse(thread, "gaps"); }
int overlap(lua_State* thread) { return analyse(thread, "overlap"); }

/// t:run("info kernels", {limit = 3}): any command on this trace.
int run(lua_State* thread) {
  const std::string path = luaL_checkstring(thread, 2);
  push_document(thread, run_on_trace(thread, *self(thread).share, path, 3));
  return 1;
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

int kernel(lua_State* thread) {
  const TracePtr share = self(thread).share;
  const Trace& trace = live(thread, *share);
  const auto& workspace = LuaHost::of(thread).context().workspace();
  push_kernel(thread, share,
              must(thread, resolve_kernel(workspace, trace, luaL_checkstring(thread, 2))));
  return 1;
}

int dispatch_of(lua_State* thread) {
  const TracePtr share = self(thread).share;
  const Trace& trace = live(thread, *share);
  const auto& workspace = LuaHost::of(thread).context().workspace();
  const std::string reference = luaL_tolstring(thread, 2, nullptr);
  push_dispatch(thread, share, must(thread, resolve_dispatch(workspace, trace, reference)));
  return 1;
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
  live(thread, *handle.share);
  Record record{{"id", Value(handle.share->id)}, {"paths", paths(thread, handle)}};
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

bool equal(lua_State* thread) {
  const auto* left = find_object<TraceHandle>(thread, 1);
  const auto* right = find_object<TraceHandle>(thread, 2);
  return left != nullptr && right != nullptr && left->share->id == right->share->id;
}

constexpr FieldBinding kFields[] = {
    {"id", "string", "t1, t2, …", thunk<&id>},
    {"paths", "string[]", "The files it was read from.", thunk<&paths>},
    {"start_ns", "integer", "Start of the first dispatch.", thunk<&start_ns>},
    {"end_ns", "integer", "End of the last dispatch.", thunk<&end_ns>},
    {"notes", "string[]", "What was odd about the files.", thunk<&notes>},
    {"closed", "boolean", "Whether it was closed; every other use of it then fails.",
     thunk<&closed>},
    {"dispatches", "rpl.Dispatches", "All dispatches, in order of their start.",
     thunk<&dispatches>},
    {"kernels", "rpl.Rows", "All kernels, the one with most time first.", thunk<&kernels>},
    {"copies", "rpl.Rows", "Memory copies.", thunk<&copies>},
    {"streams", "rpl.Rows", "Streams.", thunk<&streams>},
    {"queues", "rpl.Rows", "Queues.", thunk<&queues>},
    {"agents", "rpl.Rows", "Agents.", thunk<&agents>},
    {"dag", "rpl.Dag", "The dependency graph.", thunk<&dag>},
    {"roofline", "rpl.Rows",
     "Kernels at each memory level: kernel, level, arithmetic_intensity, achieved_gflops, "
     "attainable_gflops, bound …; none without counters. Computed at each use.",
     thunk<&roofline>},
    {"counters", "rpl.Rows",
     "Hardware counters: counter, samples, sum, mean … Computed at each use.", thunk<&counters>},
    {"metrics", "rpl.Rows",
     "What counters amount to, for each kernel: id, metric, value, unit … Computed at each use.",
     thunk<&metrics>},
    {"diagnosis", "rpl.Rows",
     "What limits each kernel: id, label, confidence, evidence … Computed at each use.",
     thunk<&diagnosis>},
};

constexpr FunctionBinding kMethods[] = {
    {"kernel", thunk<&kernel>, "reference: string", "rpl.Kernel",
     "A kernel by id, exact name, unique part of a name or /regex/."},
    {"dispatch", thunk<&dispatch_of>, "reference: string|integer", "rpl.Dispatch",
     "A dispatch by id (\"d12\") or number."},
    {"summary", thunk<&summary>, "", "rpl.Result", "What `summary` shows."},
    {"critical_path", thunk<&critical_path>, "options?: table", "rpl.Result",
     "What `critpath` shows; takes its options."},
    {"what_if", thunk<&what_if>, "options: table", "rpl.Result",
     "What `whatif` shows: {kernel=\"gemm\", speedup=2}."},
    {"slack", thunk<&slack>, "options?: table", "rpl.Result", "What `slack` shows."},
    {"gaps", thunk<&gaps>, "options?: table", "rpl.Result", "What `gaps` shows."},
    {"overlap", thunk<&overlap>, "options?: table", "rpl.Result", "What `overlap` shows."},
    {"run", thunk<&run>, "command: string, options?: table", "rpl.Result",
     "Any command on this trace: t:run(\"info kernels\", {limit=3})."},
    {"select", thunk<&select>, "", "", "Makes it the current trace."},
    {"totable", thunk<&totable>, "", "table", "The fields of `info trace` as a plain table."},
    {"close", thunk<&close>, "", "",
     "Closes it and frees its memory; `local t <close> = rpl.open(path)` does so at the end of the "
     "block."},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&further_field>}, {"__tostring", thunk<&tostring>},
    {"__pairs", thunk<&pairs>},         {"__eq", thunk<&equal>},
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
  std::vector<std::string> names;
  for (const FieldBinding& field : binding.fields) names.emplace_back(field.name);
  for (const FunctionBinding& method : binding.methods) names.emplace_back(method.name);
  for (const auto& [known, value] : record) names.push_back(known);
  for (const Column& field : document.fields) {
    if (field.name == name) return 0;
    names.push_back(field.name);
  }
  raise_error(thread, no_such_field(binding.name, name, names));
}

Value numbered_id(char letter, std::uint32_t index) {
  if (index == kNone) return {};
  return Value(fmt::format("{}{}", letter, index));
}

}  // namespace rpl
