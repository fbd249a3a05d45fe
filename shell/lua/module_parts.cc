// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "engine/base/encode.h"
#include "engine/base/monitor.h"
#include "engine/document/json.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"
#include "shell/lua/module.h"

/// The tables inside `rpl`: ui, json, param, env, values.
namespace rpl {

std::string formatted(lua_State* thread, int first) {
  const int count = lua_gettop(thread) - first + 1;
  if (count <= 1) return shown(thread, first);
  lua_getglobal(thread, "string");
  lua_getfield(thread, -1, "format");
  for (int index = first; index < first + count; ++index) lua_pushvalue(thread, index);
  lua_call(thread, count, 1);
  std::string text = shown(thread, -1);
  lua_pop(thread, 2);
  return text;
}

namespace {

int ui_print(lua_State* thread) {
  must(thread,
       LuaHost::of(thread).context().face().write(terminal_text(formatted(thread, 1)) + "\n"));
  return 0;
}

int ui_note(lua_State* thread) {
  const auto& note = LuaHost::of(thread).context().monitor().note;
  if (note) note(formatted(thread, 1));
  return 0;
}

int ui_table(lua_State* thread) {
  auto columns = must(thread, columns_from(list_in(must(thread, value_at(thread, 2)))));
  const Document document = must(thread, table_from(thread, 1, std::move(columns)));
  must(thread, LuaHost::of(thread).context().face().show(document));
  return 0;
}

int ui_show(lua_State* thread) {
  luaL_checkany(thread, 1);
  lua_settop(thread, 1);
  const Document document = must(thread, document_from(thread, 1));
  must(thread, LuaHost::of(thread).context().face().show(document));
  return 0;
}

std::string encode(const Value& value) { return to_json(value); }

Result<Value> decode(std::string_view text) { return parse_json(text); }

int get_null(lua_State* thread) {
  push_null(thread);
  return 1;
}

Result<const Setting*> setting_named(lua_State* thread, const std::string& name) {
  const auto& all = LuaHost::of(thread).context().settings().all();
  if (const auto found = all.find(name); found != all.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [known, setting] : all) names.push_back(known);
  return Failure(no_such_field("rpl.param", name, names));
}

Result<Value> param_get(lua_State* thread, std::string name) {
  TRY(setting_named(thread, name));
  return LuaHost::of(thread).context().settings().get(name);
}

Status param_set(lua_State* thread, std::string name, Value value) {
  TRY(setting_named(thread, name));
  return LuaHost::of(thread).context().settings().set(name, value);
}

Value param_list(lua_State* thread) {
  List names;
  for (const auto& [name, setting] : LuaHost::of(thread).context().settings().all())
    names.emplace_back(name);
  return Value(std::move(names));
}

int environment(lua_State* thread) {
  // Variables hold keys and where things are; a program that may be started sees them too.
  must(thread, check_allowed(Capability::run, "rpl.env"));
  lua_pushstring(thread, std::getenv(luaL_checkstring(thread, 2)));
  return 1;
}

/// "$3", "3", "$$", 3: the text that Values understands, "" for a name.
std::string history_reference(lua_State* thread) {
  if (lua_isinteger(thread, 2)) return fmt::format("${}", lua_tointeger(thread, 2));
  const std::string text = luaL_checkstring(thread, 2);
  return text.starts_with('$') ? text : std::string();
}

int get_value(lua_State* thread) {
  const Values& values = LuaHost::of(thread).context().values();
  const std::string reference = history_reference(thread);
  if (!reference.empty()) {
    push_object(thread, ResultHandle{must(thread, values.numbered(reference))});
    return 1;
  }
  const std::string_view name = lua_tostring(thread, 2);
  for (const FieldBinding& field : kModule.fields) {
    if (field.name == name && (name == "trace" || name == "kernel" || name == "dispatch")) {
      lua_settop(thread, 0);
      field.get(thread);
      if (!lua_isnil(thread, -1)) return 1;
      raise_error(thread, {Errc::not_found, fmt::format("no {} is selected", field.name),
                           name == "trace" ? "open one: open FILE" : "choose one: select ID"});
    }
  }
  const auto found = values.variable(name);
  if (!found) {
    raise_error(thread, {Errc::not_found, fmt::format("no variable ${}", name),
                         fmt::format("make it: ${} = 3", name)});
  }
  push_value(thread, *found);
  return 1;
}

int set_value(lua_State* thread) {
  const std::string name = luaL_checkstring(thread, 2);
  if (!history_reference(thread).empty()) {
    raise_error(thread, {Errc::denied, fmt::format("the value history is read-only: {}", name),
                         "assign a name: $x = …"});
  }
  Context& shell = LuaHost::of(thread).context();
  const Value value = must(thread, value_at(thread, 3));
  const std::string reference = as_text(value);
  if (name == "trace") {
    must(thread, shell.workspace().select(reference));
  } else if (name == "kernel") {
    const TracePtr share = must(thread, LuaHost::of(thread).share(""));
    shell.workspace().selection.kernel =
        must(thread, resolve_kernel(shell.workspace(), live(thread, *share), reference));
  } else if (name == "dispatch") {
    const TracePtr share = must(thread, LuaHost::of(thread).share(""));
    shell.workspace().selection.dispatch =
        must(thread, resolve_dispatch(shell.workspace(), live(thread, *share), reference));
  } else {
    must(thread, shell.values().assign(name, value));
  }
  return 0;
}

int variable_pairs(lua_State* thread) {
  Record record;
  for (const auto& [name, value] : LuaHost::of(thread).context().values().variables())
    record.emplace_back(name, value);
  return push_pairs(thread, std::move(record));
}

int history_length(lua_State* thread) {
  lua_pushinteger(thread, static_cast<lua_Integer>(LuaHost::of(thread).context().values().last()));
  return 1;
}

constexpr FunctionBinding kUi[] = {
    {"print", thunk<&ui_print>, "format: string, ...: any", "",
     "Writes a formatted line where results go; to stderr when the result is for programs.",
     kReads},
    {"note", thunk<&ui_note>, "format: string, ...: any", "", "Says something on stderr.", kReads},
    {"table", thunk<&ui_table>, "rows: table[], columns?: string[]", "", "Shows rows at once.",
     kReads},
    {"show", thunk<&ui_show>, "value: any", "", "Shows any value as a command's result is shown.",
     kReads},
};
constexpr FunctionBinding kJson[] = {
    {"encode", thunk<&encode>, "value: any", "string", "A value as JSON on one line.", kReads},
    {"decode", thunk<&decode>, "text: string", "any",
     "Reads JSON; null inside a list is rpl.json.null.", kReads},
};
constexpr FieldBinding kJsonFields[] = {
    {"null", "lightuserdata", "Stands for null where nil cannot.", thunk<&get_null>},
};
constexpr FunctionBinding kParam[] = {
    {"get", thunk<&param_get>, "name: string", "any", "The value of a setting.", kReads},
    {"set", thunk<&param_set>, "name: string, value: any", "", "Changes a setting, as `set` does.",
     kKeeps, kWhatItRuns},
    {"list", thunk<&param_list>, "", "string[]", "The names of all settings.", kReads},
};
constexpr luaL_Reg kEnv[] = {{"__index", thunk<&environment>}};
constexpr luaL_Reg kValues[] = {{"__index", thunk<&get_value>},
                                {"__newindex", thunk<&set_value>},
                                {"__pairs", thunk<&variable_pairs>},
                                {"__len", thunk<&history_length>}};

}  // namespace

const ClassBinding kUiModule{.name = "rpl.ui",
                             .help = "Output while a script runs.",
                             .fields = {},
                             .methods = kUi,
                             .metamethods = {}};
const ClassBinding kJsonModule{.name = "rpl.json",
                               .help = "JSON.",
                               .fields = kJsonFields,
                               .methods = kJson,
                               .metamethods = {}};
const ClassBinding kParamModule{.name = "rpl.param",
                                .help = "The settings of the shell.",
                                .fields = {},
                                .methods = kParam,
                                .metamethods = {}};
const ClassBinding kEnvModule{.name = "rpl.env",
                              .help = "Environment variables by name, nil for unset ones.",
                              .fields = {},
                              .methods = {},
                              .metamethods = kEnv,
                              .element = "string?"};
const ClassBinding kValuesModule{
    .name = "rpl.values",
    .help = "rpl.values[3] is $3, rpl.values.x is $x; assigning sets the variable.",
    .fields = {},
    .methods = {},
    .metamethods = kValues,
    .element = "any"};

}  // namespace rpl
