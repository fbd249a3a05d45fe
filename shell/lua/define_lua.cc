// SPDX-License-Identifier: MIT
#include <fmt/ranges.h>

#include <algorithm>

#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/lua/handles.h"
#include "shell/lua/module.h"

namespace rpl {
namespace define_binding {
namespace {

const List& list_at(const Value& table, std::string_view key) {
  const Value* found = table.find(key);
  return found ? list_in(*found) : list_in({});
}

std::vector<Label> labels_at(const Value& table, std::string_view key) {
  std::vector<Label> labels;
  for (const Value& item : list_at(table, key)) {
    if (const auto* text = item.as<std::string>()) labels.emplace_back(*text);
  }
  return labels;
}

/// `names` are in the order of the enumeration.
template <class Enum>
Result<Enum> choice(std::string_view what, const std::string& given,
                    std::initializer_list<std::string_view> names) {
  const auto found = std::ranges::find(names, given);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  return fail(Errc::usage, fmt::format("no {} '{}'", what, given),
              fmt::format("one of: {}", fmt::join(names, ", ")));
}

ParamType type_of_default(const Value& value) {
  if (value.as<bool>()) return ParamType::boolean;
  if (value.as<std::int64_t>()) return ParamType::integer;
  if (value.as<double>()) return ParamType::number;
  return ParamType::string;
}

constexpr FieldBinding kParamFields[] = {
    {"name", "string",
     "With dashes or underscores; \"file\" alone may stand for {name = \"file\"}."},
    {"kind", "\"positional\"|\"option\"|\"flag\"|\"rest\"?",
     "Without it: a flag when the default is a boolean, an option when there is one, else "
     "positional."},
    {"type", "\"string\"|\"integer\"|\"number\"|\"boolean\"?", "That of the default without it."},
    {"default", "any", "What the function gets when it is not given."},
    {"help", "string?", "For help and completion."},
    {"choices", "string[]?", "The only values allowed."},
    {"least", "number?", "The smallest number allowed."},
    {"most", "number?", "The largest number allowed."},
    {"required", "boolean?", "Whether it must be given."},
    {"repeated", "boolean?", "Whether it may be given several times; its value is a list."},
    {"complete", "string?",
     "What completes it: file, kernel, dispatch, stream, trace, command, setting, variable."},
    {"placeholder", "string?", "Its name in usage lines."},
};

constexpr FieldBinding kCommandFields[] = {
    {"path", "string", "Its words: \"info stalls\"."},
    {"run", "fun(args: table): any",
     "Gets the arguments by name; returns rows, a table, a result."},
    {"summary", "string", "One sentence."},
    {"help", "string?", "What it computes and what the numbers mean."},
    {"class", "string?", "The chapter of help; user without it."},
    {"params", "rpl.ParamDefinition[]?", "Its parameters."},
    {"columns", "string[]?",
     "The columns of the rows it returns, in order; or {name=, type=, unit=, help=}."},
    {"fields", "string[]?", "The fields of the record it returns."},
    {"scalar", "string?", "The field or column that /q shows."},
    {"aliases", "string[]?", "Other names."},
    {"examples", "string[]?", "Command lines for help."},
    {"repeatable", "boolean?", "Whether an empty line runs it again."},
};

/// Fails for a key that the description does not have.
Status check_keys(const Value& table, const ClassBinding& description) {
  const auto names = member_names(description);
  for (const auto& [key, value] : record_in(table)) {
    if (std::ranges::find(names, key) == names.end())
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
  param.name = dashed(text_in(table, "name"));
  if (param.name.empty())
    return fail(Errc::usage, "a parameter has no name", "{name = \"top\", default = 10}");
  if (const Value* initial = table.find("default")) param.default_value = *initial;
  param.type = type_of_default(param.default_value);
  if (!text_in(table, "type").empty()) {
    param.type = TRY(choice<ParamType>("type", text_in(table, "type"),
                                       {"string", "integer", "number", "boolean"}));
  }
  param.kind = param.type == ParamType::boolean ? ParamKind::flag
               : param.default_value.is_null()  ? ParamKind::positional
                                                : ParamKind::option;
  if (!text_in(table, "kind").empty()) {
    param.kind = TRY(choice<ParamKind>("kind", text_in(table, "kind"),
                                       {"positional", "option", "flag", "rest"}));
  }
  if (!text_in(table, "complete").empty()) {
    param.complete = TRY(choice<Complete>("completion", text_in(table, "complete"),
                                          {"none", "file", "kernel", "dispatch", "stream", "trace",
                                           "command", "setting", "variable"}));
  }
  param.help = text_in(table, "help");
  param.placeholder = text_in(table, "placeholder");
  param.required = flag_in(table, "required");
  param.repeated = flag_in(table, "repeated") || param.kind == ParamKind::rest;
  param.choices = labels_at(table, "choices");
  if (const auto least = number_in(table, "least")) param.range.least = *least;
  if (const auto most = number_in(table, "most")) param.range.most = *most;
  return param;
}

Class class_named(const std::string& name) {
  for (int i = 0; i < static_cast<int>(Class::user); ++i) {
    if (to_string(static_cast<Class>(i)) == name) return static_cast<Class>(i);
  }
  return Class::user;
}

Result<Command> command_from(const Value& table) {
  TRY(check_keys(table, kCommandDefinition));
  Command command;
  command.path = text_in(table, "path");
  if (command.path.empty())
    return fail(Errc::usage, "a command needs a path", "path = \"info stalls\"");
  command.chapter = class_named(text_in(table, "class"));
  command.summary = text_in(table, "summary");
  command.help = text_in(table, "help");
  command.scalar = text_in(table, "scalar");
  command.aliases = labels_at(table, "aliases");
  command.examples = labels_at(table, "examples");
  command.repeatable = flag_in(table, "repeatable");
  command.is_user_defined = true;
  command.fields = TRY(columns_from(list_at(table, "fields")));
  command.columns = TRY(columns_from(list_at(table, "columns")));
  for (const Value& item : list_at(table, "params"))
    command.params.push_back(TRY(param_from(item)));
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
