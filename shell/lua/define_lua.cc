// SPDX-License-Identifier: MIT
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/lua/commands_lua.h"
#include "shell/lua/handles.h"

namespace rpl {
namespace define_binding {
namespace {

std::string text_at(const Value& table, std::string_view key) {
  const Value* found = table.find(key);
  const auto* text = found ? found->as<std::string>() : nullptr;
  return text ? *text : std::string();
}

bool flag_at(const Value& table, std::string_view key) {
  const Value* found = table.find(key);
  const bool* state = found ? found->as<bool>() : nullptr;
  return state != nullptr && *state;
}

std::vector<Label> labels_at(const Value& table, std::string_view key) {
  std::vector<Label> labels;
  const Value* found = table.find(key);
  const auto* list = found ? found->as<List>() : nullptr;
  for (const Value& item : list ? *list : List{}) {
    if (const auto* text = item.as<std::string>()) labels.emplace_back(*text);
  }
  return labels;
}

template <class Enum>
Result<Enum> choice(std::string_view what, const std::string& given,
                    std::span<const std::pair<std::string_view, Enum>> choices) {
  std::string names;
  for (const auto& [name, value] : choices) {
    if (name == given) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return fail(Errc::usage, fmt::format("no {} '{}'", what, given), "one of: " + names);
}

constexpr std::pair<std::string_view, ParamKind> kKinds[] = {{"positional", ParamKind::positional},
                                                             {"option", ParamKind::option},
                                                             {"flag", ParamKind::flag},
                                                             {"rest", ParamKind::rest}};
constexpr std::pair<std::string_view, ParamType> kTypes[] = {{"string", ParamType::string},
                                                             {"integer", ParamType::integer},
                                                             {"number", ParamType::number},
                                                             {"boolean", ParamType::boolean}};
constexpr std::pair<std::string_view, Complete> kCompletions[] = {
    {"none", Complete::none},        {"file", Complete::file},
    {"kernel", Complete::kernel},    {"dispatch", Complete::dispatch},
    {"stream", Complete::stream},    {"trace", Complete::trace},
    {"command", Complete::command},  {"setting", Complete::setting},
    {"variable", Complete::variable}};

ParamType type_of_default(const Value& value) {
  if (value.as<bool>()) return ParamType::boolean;
  if (value.as<std::int64_t>()) return ParamType::integer;
  if (value.as<double>()) return ParamType::number;
  return ParamType::string;
}

constexpr FieldBinding kParamFields[] = {
    {"name", "string",
     "With dashes or underscores; \"file\" alone may stand for {name = \"file\"}.", nullptr},
    {"kind", "\"positional\"|\"option\"|\"flag\"|\"rest\"?",
     "Without it: a flag when the default is a boolean, an option when there is one, else "
     "positional.",
     nullptr},
    {"type", "\"string\"|\"integer\"|\"number\"|\"boolean\"?", "That of the default without it.",
     nullptr},
    {"default", "any", "What the function gets when it is not given.", nullptr},
    {"help", "string?", "For help and completion.", nullptr},
    {"choices", "string[]?", "The only values allowed.", nullptr},
    {"required", "boolean?", "Whether it must be given.", nullptr},
    {"repeated", "boolean?", "Whether it may be given several times; its value is a list.",
     nullptr},
    {"complete", "string?",
     "What completes it: file, kernel, dispatch, stream, trace, command, setting, variable.",
     nullptr},
    {"placeholder", "string?", "Its name in usage lines.", nullptr},
};

constexpr FieldBinding kCommandFields[] = {
    {"path", "string", "Its words: \"info stalls\".", nullptr},
    {"run", "fun(args: table): any", "Gets the arguments by name; returns rows, a table, a result.",
     nullptr},
    {"summary", "string", "One sentence.", nullptr},
    {"help", "string?", "What it computes and what the numbers mean.", nullptr},
    {"class", "string?", "The chapter of help; user without it.", nullptr},
    {"params", "rpl.ParamDefinition[]?", "Its parameters.", nullptr},
    {"columns", "string[]?",
     "The columns of the rows it returns, in order; or {name=, type=, unit=, help=}.", nullptr},
    {"fields", "string[]?", "The fields of the record it returns.", nullptr},
    {"scalar", "string?", "The field or column that /q shows.", nullptr},
    {"aliases", "string[]?", "Other names.", nullptr},
    {"examples", "string[]?", "Command lines for help.", nullptr},
    {"repeatable", "boolean?", "Whether an empty line runs it again.", nullptr},
};

/// Fails for a key that the description does not have.
Status check_keys(const Value& table, const ClassBinding& description) {
  for (const auto& [key, value] : table.as<Record>() ? *table.as<Record>() : Record{}) {
    if (std::ranges::find(description.fields, key, &FieldBinding::name) !=
        description.fields.end()) {
      continue;
    }
    std::vector<std::string> names;
    for (const FieldBinding& field : description.fields) names.emplace_back(field.name);
    return Failure(no_such_field(description.help, key, names));
  }
  return {};
}

Result<Param> param_from(const Value& table) {
  Param param;
  if (const auto* name = table.as<std::string>()) {
    param.name = *name;
    param.kind = ParamKind::positional;
    return param;
  }
  TRY(check_keys(table, kParamDefinition));
  param.name = dashed(text_at(table, "name"));
  if (param.name.empty())
    return fail(Errc::usage, "a parameter has no name", "{name = \"top\", default = 10}");
  if (const Value* initial = table.find("default")) param.default_value = *initial;
  param.type = type_of_default(param.default_value);
  if (!text_at(table, "type").empty()) {
    param.type = TRY(choice<ParamType>("type", text_at(table, "type"), kTypes));
  }
  param.kind = param.type == ParamType::boolean ? ParamKind::flag
               : param.default_value.is_null()  ? ParamKind::positional
                                                : ParamKind::option;
  if (!text_at(table, "kind").empty()) {
    param.kind = TRY(choice<ParamKind>("kind", text_at(table, "kind"), kKinds));
  }
  if (!text_at(table, "complete").empty()) {
    param.complete = TRY(choice<Complete>("completion", text_at(table, "complete"), kCompletions));
  }
  param.help = text_at(table, "help");
  param.placeholder = text_at(table, "placeholder");
  param.required = flag_at(table, "required");
  param.repeated = flag_at(table, "repeated") || param.kind == ParamKind::rest;
  param.choices = labels_at(table, "choices");
  return param;
}

Class class_named(const std::string& name) {
  for (int i = 0; i < static_cast<int>(Class::user); ++i) {
    if (to_string(static_cast<Class>(i)) == name) return static_cast<Class>(i);
  }
  return Class::user;
}

Result<std::vector<Column>> columns_at(const Value& table, std::string_view key) {
  std::vector<Column> columns;
  const Value* found = table.find(key);
  const auto* list = found ? found->as<List>() : nullptr;
  for (const Value& item : list ? *list : List{}) columns.push_back(TRY(column_from(item)));
  return columns;
}

Result<Command> command_from(const Value& table) {
  TRY(check_keys(table, kCommandDefinition));
  Command command;
  command.path = text_at(table, "path");
  if (command.path.empty())
    return fail(Errc::usage, "a command needs a path", "path = \"info stalls\"");
  command.chapter = class_named(text_at(table, "class"));
  command.summary = text_at(table, "summary");
  command.help = text_at(table, "help");
  command.scalar = text_at(table, "scalar");
  command.aliases = labels_at(table, "aliases");
  command.examples = labels_at(table, "examples");
  command.repeatable = flag_at(table, "repeatable");
  command.is_user_defined = true;
  command.fields = TRY(columns_at(table, "fields"));
  command.columns = TRY(columns_at(table, "columns"));
  const Value* params = table.find("params");
  const auto* list = params ? params->as<List>() : nullptr;
  for (const Value& item : list ? *list : List{}) command.params.push_back(TRY(param_from(item)));
  return command;
}

/// What a user's function returned, as the result that the definition promises.
Result<Document> result_of(lua_State* thread, int first, const std::vector<Column>& columns) {
  const bool rows = lua_gettop(thread) == first && lua_type(thread, first) == LUA_TTABLE &&
                    (lua_rawlen(thread, first) > 0 || !columns.empty());
  if (rows) return table_from(thread, first, columns);
  return document_from(thread, first);
}

/// What the definition says about a column or field goes before what its name alone says.
void adopt(std::vector<Column>& made, const std::vector<Column>& promised) {
  for (Column& column : made) {
    const auto found = std::ranges::find(promised, column.name, &Column::name);
    if (found == promised.end()) continue;
    const Type type = column.type;
    column = *found;
    if (column.type == Type::any) column.type = type;
  }
}

void push_arguments(lua_State* thread, const std::vector<Param>& params,
                    const Arguments& arguments) {
  lua_createtable(thread, 0, static_cast<int>(params.size()));
  for (const Param& param : params) {
    const auto given = arguments.find(param.name);
    push_value(thread, given == arguments.end() ? param.default_value : given->second);
    lua_setfield(thread, -2, underscored(param.name).c_str());
  }
}

Handler handler_of(LuaHost& host, Ref function, Command definition) {
  const auto body = std::make_shared<Ref>(std::move(function));
  return [&host, body, definition = std::move(definition)](
             Context&, const Arguments& arguments) -> Result<Document> {
    lua_State* thread = host.state().thread();
    if (!lua_checkstack(thread, 20)) return fail(Errc::limit, "commands are nested too deeply");
    body->push(thread);
    push_arguments(thread, definition.params, arguments);
    Document document = TRY(host.call_loaded(
        1, [&](lua_State* own, int first) { return result_of(own, first, definition.columns); }));
    adopt(document.columns, definition.columns);
    adopt(document.fields, definition.fields);
    return document;
  };
}

}  // namespace
}  // namespace define_binding

const ClassBinding kParamDefinition{.name = "rpl.ParamDefinition",
                                    .help = "A parameter",
                                    .fields = define_binding::kParamFields,
                                    .methods = {},
                                    .metamethods = {}};
const ClassBinding kCommandDefinition{.name = "rpl.CommandDefinition",
                                      .help = "A command",
                                      .fields = define_binding::kCommandFields,
                                      .methods = {},
                                      .metamethods = {}};

int define_command(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TTABLE);
  lua_settop(thread, 1);
  lua_getfield(thread, 1, "run");
  if (lua_type(thread, 2) != LUA_TFUNCTION) {
    raise_error(thread, {Errc::usage, "a command needs run = function(args) … end", ""});
  }
  // The rest of the definition is plain data; the caller's table is left as it was.
  lua_newtable(thread);
  lua_pushnil(thread);
  while (lua_next(thread, 1) != 0) {
    lua_pushvalue(thread, -2);
    const bool is_run =
        lua_type(thread, -1) == LUA_TSTRING && std::string_view(lua_tostring(thread, -1)) == "run";
    lua_insert(thread, -2);
    if (is_run) {
      lua_pop(thread, 2);
    } else {
      lua_rawset(thread, 3);
    }
  }
  LuaHost& host = LuaHost::of(thread);
  const Value table = must(thread, value_at(thread, 3));
  Command command = must(thread, define_binding::command_from(table));
  lua_pushvalue(thread, 2);
  command.run = define_binding::handler_of(host, host.state().keep(), command);
  std::vector<std::string> words = lua_words(command.path);
  must(thread, host.context().registry().add(std::move(command)));
  push_object(thread, CommandNode{std::move(words)});
  return 1;
}

}  // namespace rpl
