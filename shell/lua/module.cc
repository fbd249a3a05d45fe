// SPDX-License-Identifier: MIT
#include "shell/lua/module.h"

#include "engine/base/encode.h"
#include "shell/core/command/registry.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/core/session/version.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"

namespace rpl {
namespace {

std::optional<TraceHandle> get_trace(lua_State* thread) {
  LuaHost& host = LuaHost::of(thread);
  if (host.context().workspace().traces().empty()) return std::nullopt;
  return TraceHandle{must(thread, host.share(""))};
}

std::optional<KernelHandle> get_kernel(lua_State* thread) {
  LuaHost& host = LuaHost::of(thread);
  const auto selected = host.context().workspace().selection.kernel;
  if (!selected) return std::nullopt;
  return KernelHandle{must(thread, host.share("")), *selected};
}

std::optional<DispatchHandle> get_dispatch(lua_State* thread) {
  LuaHost& host = LuaHost::of(thread);
  const auto selected = host.context().workspace().selection.dispatch;
  if (!selected) return std::nullopt;
  return DispatchHandle{must(thread, host.share("")), *selected};
}

std::optional<AttHandle> get_att(lua_State* thread) { return current_att(LuaHost::of(thread)); }

CaptureHandle handle_of(const CaptureEntry& entry) {
  return {entry->id, entry->path, entry->value};
}

std::optional<CaptureHandle> get_capture(lua_State* thread) {
  const CaptureEntry entry = LuaHost::of(thread).context().workspace().captures.current();
  return entry ? std::optional(handle_of(entry)) : std::nullopt;
}

std::vector<CaptureHandle> get_captures(lua_State* thread) {
  std::vector<CaptureHandle> all;
  for (const CaptureEntry& entry : LuaHost::of(thread).context().workspace().captures.all())
    all.push_back(handle_of(entry));
  return all;
}

std::vector<TraceHandle> get_traces(lua_State* thread) {
  LuaHost& host = LuaHost::of(thread);
  std::vector<TraceHandle> all;
  for (const auto& open : host.context().workspace().traces())
    all.push_back({must(thread, host.share(open->id()))});
  return all;
}

CommandNode get_cmd(lua_State*) { return {}; }

std::vector<std::string> get_args(lua_State* thread) { return LuaHost::of(thread).arguments(); }

std::string_view get_version(lua_State*) { return version(); }

template <const ClassBinding& binding>
int get_module(lua_State* thread) {
  push_module(thread, binding);
  return 1;
}

/// Opens a thread trace and pushes it, or a capture, code object or profile document and pushes what its command says of it; false for another path.
bool push_facts(lua_State* thread, LuaHost& host, const std::string& path) {
  const Openable kind = openable(path);
  if (kind == Openable::thread_trace) {
    must(thread, open_thread_traces(host.context(), path));
    detail::push_result(thread, current_att(host));
    return true;
  }
  const bool capture = kind == Openable::capture, profile = kind == Openable::profile;
  if (!capture && !profile && kind != Openable::object) return false;
  const Command* command = host.context().registry().find(capture   ? "capture info"
                                                          : profile ? "info profile"
                                                                    : "object meta");
  const Arguments arguments{{capture ? "capture" : profile ? "profile" : "object", Value(path)}};
  detail::push_result(thread, host.run(*command, arguments));
  return true;
}

int open(lua_State* thread) {
  const Value given = must(thread, value_at(thread, 1));
  std::vector<std::string> paths;
  if (const auto* path = given.as<std::string>()) paths.push_back(*path);
  for (const Value& item : list_in(given)) {
    if (const auto* path = item.as<std::string>()) paths.push_back(*path);
  }
  luaL_argcheck(thread, !paths.empty(), 1, "a path or a list of paths");
  LuaHost& host = LuaHost::of(thread);
  if (paths.size() == 1 && push_facts(thread, host, paths.front())) return 1;
  const OpenTrace* opened = must(thread, host.open(paths));
  push_object(thread, TraceHandle{must(thread, host.share(opened->id()))});
  return 1;
}

/// The recording that a script works on: what its argument names, else the current one.
TraceHandle use(lua_State* thread) {
  lua_settop(thread, 1);
  if (!lua_isnil(thread, 1)) {
    open(thread);
    if (const auto* trace = find_object<TraceHandle>(thread, -1)) return *trace;
    raise_error(
        thread,
        {Errc::usage, fmt::format("'{}' is not a recording of dispatches", shown(thread, 1)),
         "give a rocpd database, an .rpd file, a rocprofv3 CSV or JSON, or a trace of "
         "PyTorch's profiler"});
  }
  if (const auto trace = get_trace(thread)) return *trace;
  raise_error(thread, {Errc::not_found, "no trace is open",
                       "name a recording as the first argument, or open one before: open FILE"});
}

/// Calls the listener at 1 with the payload at 2. nil and true go on; false, with a reason perhaps, or an error veto.
int ask_listener(lua_State* thread) {
  lua_call(thread, 1, 2);
  const bool refused = lua_isboolean(thread, 1) && lua_toboolean(thread, 1) == 0;
  if (refused) {
    const char* reason = lua_tostring(thread, 2);
    raise_error(thread, {Errc::denied, reason == nullptr ? "a script vetoed it" : reason, ""});
  }
  if (lua_istable(thread, 1) || lua_isuserdata(thread, 1)) {
    lua_settop(thread, 1);
    return lua_error(thread);
  }
  return 0;
}

int on(lua_State* thread) {
  const std::string event = luaL_checkstring(thread, 1);
  luaL_checktype(thread, 2, LUA_TFUNCTION);
  LuaHost& host = LuaHost::of(thread);
  lua_pushvalue(thread, 2);
  const auto function = std::make_shared<Ref>(host.state().keep());
  must(thread, host.context().events().on(event, [&host, function](const Value& payload) -> Status {
    State& state = host.state();
    lua_State* own = state.thread();
    if (!lua_checkstack(own, 20)) return fail(Errc::limit, "listeners are nested too deeply");
    lua_pushcfunction(own, thunk<&ask_listener>);
    function->push(own);
    push_value(own, payload);
    return state.call(2, 0);
  }));
  return 0;
}

int exec(lua_State* thread, const std::string& line) {
  return LuaHost::of(thread).context().face().run_line(line);
}

Result<Document> eval(lua_State* thread, const std::string& line) {
  return LuaHost::of(thread).context().face().evaluate_line(line);
}

void exit(lua_State* thread, std::optional<int> code) {
  LuaHost::of(thread).exit(thread, code.value_or(0));
}

Status alias(lua_State* thread, std::string word, std::string expansion) {
  return LuaHost::of(thread).context().registry().add_alias(std::move(word), std::move(expansion));
}

std::vector<Column> columns_at(lua_State* thread, int index) {
  return must(thread, columns_from(list_in(must(thread, value_at(thread, index)))));
}

Result<Document> table(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TTABLE);
  return table_from(thread, 1, columns_at(thread, 2));
}

void add_record(lua_State* thread, Document& document) {
  const Value record = must(thread, value_at(thread, -1));
  lua_getfield(thread, 1, "fields");
  document.fields = columns_at(thread, lua_gettop(thread));
  lua_pop(thread, 1);
  for (const auto& [name, value] : record_in(record)) {
    if (std::ranges::find(document.fields, std::string_view(name), &Column::name) ==
        document.fields.end()) {
      document.fields.push_back(must(thread, column_from(Value(name))));
    }
  }
  for (const Column& field : document.fields) {
    const Value* value = record.find(field.name);
    document.set(field.name, value ? *value : Value());
  }
}

Result<Provenance> provenance_named(std::string_view name) {
  for (const Provenance one : {Provenance::none, Provenance::measured, Provenance::modelled,
                               Provenance::recorded, Provenance::estimated}) {
    if (to_string(one) == name) return one;
  }
  return fail(Errc::usage, fmt::format("no provenance '{}'", name),
              "one of: measured, modelled, recorded, estimated, none; that of another result is "
              "its field `provenance`");
}

/// A misspelt part would be left out without a word.
void check_parts(lua_State* thread) {
  static const std::vector<std::string> parts{"record",     "fields",   "rows", "columns",
                                              "notes",      "next",     "text", "scalar",
                                              "provenance", "exit_code"};
  lua_pushnil(thread);
  while (lua_next(thread, 1) != 0) {
    lua_pop(thread, 1);
    const std::string name =
        lua_type(thread, -1) == LUA_TSTRING ? lua_tostring(thread, -1) : "a numbered part";
    if (std::ranges::find(parts, name) == parts.end())
      raise_error(thread, no_such_field("rpl.result", name, parts));
  }
}

/// rpl.result{record=, fields=, rows=, columns=, notes=, next=, text=, scalar=, provenance=, exit_code=}
Document result(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TTABLE);
  lua_settop(thread, 1);
  check_parts(thread);
  Document document;
  if (lua_getfield(thread, 1, "rows") != LUA_TNIL) {
    lua_getfield(thread, 1, "columns");
    document = must(thread, table_from(thread, 2, columns_at(thread, 3)));
  }
  if (lua_getfield(thread, 1, "record") != LUA_TNIL) add_record(thread, document);
  const auto texts = [&](const char* key) {
    std::vector<std::string> out;
    lua_getfield(thread, 1, key);
    const Value given = must(thread, value_at(thread, -1));
    lua_pop(thread, 1);
    for (const Value& item : list_in(given)) out.push_back(as_text(item));
    return out;
  };
  document.notes = texts("notes");
  document.next = texts("next");
  lua_getfield(thread, 1, "text");
  document.text = luaL_optstring(thread, -1, "");
  lua_getfield(thread, 1, "scalar");
  document.scalar = luaL_optstring(thread, -1, "");
  if (lua_getfield(thread, 1, "provenance") != LUA_TNIL)
    document.provenance = must(thread, provenance_named(luaL_checkstring(thread, -1)));
  lua_getfield(thread, 1, "exit_code");
  document.exit_code = static_cast<int>(luaL_optinteger(thread, -1, 0));
  return document;
}

constexpr FieldBinding kFields[] = {
    {"trace", "rpl.Trace?", "The current trace.", thunk<&get_trace>},
    {"kernel", "rpl.Kernel?", "The selected kernel.", thunk<&get_kernel>},
    {"dispatch", "rpl.Dispatch?", "The selected dispatch.", thunk<&get_dispatch>},
    {"att", "rpl.Att?", "The current thread trace.", thunk<&get_att>},
    {"capture", "rpl.Capture?", "The current capture.", thunk<&get_capture>},
    {"captures", "rpl.Capture[]", "All open captures.", thunk<&get_captures>},
    {"traces", "rpl.Trace[]", "All open traces.", thunk<&get_traces>},
    {"cmd", "rpl.cmd", "Every command as a function: rpl.cmd.info.kernels{limit=3}.",
     thunk<&get_cmd>},
    {"args", "string[]", "The arguments of the script.", thunk<&get_args>},
    {"env", "rpl.env", "Environment variables.", get_module<kEnvModule>},
    {"values", "rpl.values", "The value history and the convenience variables.",
     get_module<kValuesModule>},
    {"json", "rpl.json", "JSON.", get_module<kJsonModule>},
    {"ui", "rpl.ui", "Output while a script runs.", get_module<kUiModule>},
    {"param", "rpl.param", "The settings.", get_module<kParamModule>},
    {"debug", "rpl.debug", "The kernel that is stopped on the emulated device.",
     get_module<kDebugModule>},
    {"version", "string", "The version of rpl.", thunk<&get_version>},
};

constexpr FunctionBinding kFunctions[] = {
    {"open", thunk<&open>, "path: string|string[]", "rpl.Trace|rpl.Att|rpl.Result",
     "Opens a recording, or several as one trace, or a thread trace, and makes it current. A "
     "capture or a code object "
     "gives what `capture "
     "info` or `object meta` says.",
     kKeeps},
    {"use", thunk<&use>, "path?: string|string[]", "rpl.Trace",
     "The recording that a script works on: opened from the path; without one the current trace; "
     "an error that says what to do when there is none.",
     kKeeps},
    {"command", thunk<&define_command>, "definition: rpl.CommandDefinition", "rpl.Commands",
     "Adds a command that is equal to a built-in one: help, completion, options, JSON.", kReads},
    {"alias", thunk<&alias>, "word: string, expansion: string", "",
     "Makes a word stand for the beginning of a command line.", kReads},
    {"on", thunk<&on>, "event: string, listener: fun(payload: table): any", "",
     "Calls a function at an event; returning false and a reason, or an error, vetoes it.", kReads},
    {"rule", thunk<&define_rule>, "definition: table", "",
     "Adds a rule that offers edits of a kernel's body: name, bottleneck, propose = "
     "function(kernel) returning {{title=, why=, body=}, …}.",
     kReads},
    {"exec", thunk<&exec>, "line: string", "integer",
     "Runs a command line and shows its result; gives the exit status.", kKeeps, kWhatItRuns},
    {"eval", thunk<&eval>, "line: string", "rpl.Result",
     "Runs a command line and gives its result instead of showing it.", kKeeps, kWhatItRuns},
    {"exit", thunk<&exit>, "code?: integer", "", "Ends the script and the program.", kReads},
    {"table", thunk<&table>, "rows: table[], columns?: string[]", "rpl.Result",
     "Rows as a result, which every form can show. Columns may be {name=, type=, unit=, help=}.",
     kReads},
    {"result", thunk<&result>, "parts: table", "rpl.Result",
     "A result from record, fields, rows, columns, notes, next, text, scalar, provenance "
     "(measured, modelled, recorded, estimated) and exit_code.",
     kReads},
};

int print(lua_State* thread) {
  std::string text;
  for (int index = 1; index <= lua_gettop(thread); ++index) {
    text += (index == 1 ? "" : "\t") + shown(thread, index);
  }
  // In parts: what encodes a long text asks no hook. None ends within a character.
  constexpr std::size_t kPart = std::size_t{64} << 10U;
  const auto write = [&](OutputBytes bytes) {
    raise_if_stopped(thread);
    must(thread, LuaHost::of(thread).context().face().write(bytes));
  };
  std::string_view left = text;
  while (left.size() > kPart) {
    std::size_t size = kPart;
    while (size > kPart - 4 && (static_cast<unsigned char>(left[size]) & 0xC0U) == 0x80U) --size;
    write(terminal_text(left.substr(0, size)));
    left.remove_prefix(size);
  }
  write(terminal_text(left) + "\n");
  return 0;
}

int opened_by_require(lua_State* thread) {
  push_module(thread, kModule);
  return 1;
}

}  // namespace

const ClassBinding kModule{
    .name = "rpl",
    .help = "The module of rpl: a global, and what require \"rpl\" gives.",
    .fields = kFields,
    .methods = kFunctions,
    .metamethods = {},
};

std::span<const ClassBinding* const> all_classes() {
  static constexpr const ClassBinding* classes[] = {
      &kErrorClass,    &kResultClass, &kRowsClass,     &kCommandsClass,
      &kTraceClass,    &kKernelClass, &kDispatchClass, &kDispatchesClass,
      &kDagClass,      &kAttClass,    &kWaveClass,     &kLaneClass,
      &kRegisterClass, &kMemoryClass, &kCaptureClass,  &kRegionClass};
  return classes;
}

std::span<const ClassBinding* const> all_modules() {
  static constexpr const ClassBinding* modules[] = {&kModule,      &kUiModule,  &kJsonModule,
                                                    &kParamModule, &kEnvModule, &kValuesModule,
                                                    &kDebugModule, &kDebugNames};
  return modules;
}

std::vector<ScriptFunction> LuaHost::functions() const {
  std::vector<ScriptFunction> out;
  const auto add = [&out](const ClassBinding& binding, char separator) {
    for (const FunctionBinding& function : binding.methods)
      out.push_back({fmt::format("{}{}{}", binding.name, separator, function.name), function.does,
                     function.may});
  };
  for (const ClassBinding* binding : all_modules()) add(*binding, '.');
  for (const ClassBinding* binding : all_classes()) add(*binding, ':');
  for (const HostFunction& function : host_functions()) {
    const bool global = *function.library == 0;
    out.push_back({fmt::format("{}{}{}", function.library, global ? "" : ".", function.name),
                   {Capability::run},
                   {}});
  }
  std::ranges::sort(out, {}, &ScriptFunction::name);
  return out;
}

void push_module(lua_State* thread, const ClassBinding& binding) {
  lua_newuserdatauv(thread, 0, 0);
  luaL_setmetatable(thread, binding.name);
}

void open_module(lua_State* thread) {
  for (const ClassBinding* binding : all_classes()) open_class(thread, *binding);
  for (const ClassBinding* binding : all_modules()) open_class(thread, *binding);
  push_null(thread);
  lua_pop(thread, 1);
  luaL_getsubtable(thread, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  opened_by_require(thread);
  lua_pushvalue(thread, -1);
  lua_setfield(thread, -3, "rpl");
  lua_pushglobaltable(thread);
  lua_insert(thread, -2);
  lua_pushliteral(thread, "rpl");
  lua_insert(thread, -2);
  lua_rawset(thread, -3);
  lua_pushliteral(thread, "print");
  lua_pushcfunction(thread, thunk<&print>);
  lua_rawset(thread, -3);
  lua_pop(thread, 2);
}

}  // namespace rpl
