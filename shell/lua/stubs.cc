// SPDX-License-Identifier: MIT
#include "shell/lua/host.h"

#include <cstring>
#include <filesystem>
#include <set>

#include "engine/base/files.h"
#include "shell/lua/handles.h"
#include "shell/lua/module.h"

namespace rpl {
namespace {

struct StubParam {
  std::string name, type;
};

/// "a: integer, f: fun(x: table, y: any), ...: string" taken apart at the commas outside brackets.
std::vector<StubParam> params_of(std::string_view text) {
  std::vector<StubParam> params;
  while (!text.empty()) {
    int depth = 0;
    std::size_t end = 0;
    for (; end < text.size() && (text[end] != ',' || depth > 0); ++end) {
      depth += text[end] == '(' || text[end] == '{' ? 1 : 0;
      depth -= text[end] == ')' || text[end] == '}' ? 1 : 0;
    }
    const std::string_view one = text.substr(0, end);
    const std::size_t colon = one.find(": ");
    params.push_back({std::string(one.substr(0, colon)), std::string(one.substr(colon + 2))});
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return params;
}

std::string function_stub(const std::string& prefix, const FunctionBinding& function) {
  std::string out = fmt::format("\n---{}\n", function.help);
  std::string names;
  for (const StubParam& param : params_of(function.params)) {
    out += fmt::format("---@param {} {}\n", param.name, param.type);
    std::string name = param.name;
    if (name.ends_with('?')) name.pop_back();
    names += (names.empty() ? "" : ", ") + name;
  }
  if (*function.returns != 0) out += fmt::format("---@return {}\n", function.returns);
  return out + fmt::format("function {}{}({}) end\n", prefix, function.name, names);
}

std::string_view lua_type(Type type) {
  switch (type) {
    case Type::boolean:
      return "boolean";
    case Type::integer:
      return "integer";
    case Type::number:
      return "number";
    case Type::dim3:
      return "integer[]";
    case Type::strings:
      return "string[]";
    case Type::record:
      return "table";
    case Type::any:
      return "any";
    default:
      return "string";
  }
}

std::string fields_stub(const ClassBinding& binding) {
  std::string out = fmt::format("\n---{}\n---@class {}\n", binding.help, binding.name);
  for (const BoundColumn& column : binding.columns) {
    out += fmt::format("---@field {} {}{} {}\n", column.about.name, lua_type(column.about.type),
                       column.may_be_missing ? "?" : "", column.about.description);
  }
  for (const FieldBinding& field : binding.fields) {
    out += fmt::format("---@field {} {} {}\n", field.name, field.type, field.help);
  }
  if (*binding.element != 0) out += fmt::format("---@field [integer] {}\n", binding.element);
  if (*binding.callable != 0) out += fmt::format("---@overload {}\n", binding.callable);
  return out;
}

std::string class_stub(const ClassBinding& binding) {
  std::string local(binding.name);
  local = local.substr(local.rfind('.') + 1);
  std::string out = fields_stub(binding) + fmt::format("local {} = {{}}\n", local);
  for (const FunctionBinding& method : binding.methods) out += function_stub(local + ":", method);
  return out;
}

std::string module_stub(const ClassBinding& binding) {
  std::string out = fields_stub(binding) + fmt::format("{} = {{}}\n", binding.name);
  for (const FunctionBinding& function : binding.methods) {
    out += function_stub(std::string(binding.name) + ".", function);
  }
  return out;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string columns_stub(std::span<const Column> columns) {
  std::string out;
  for (const Column& column : columns) {
    out += fmt::format("---@field {} {}? {}\n", column.name, lua_type(column.type),
                       one_line(column.description));
  }
  return out;
}

/// Classes for arguments, rows and result of one command, and the class of its node under rpl.cmd.
std::string command_stub(const std::string& node, const Command& command) {
  const std::string key = node.substr(std::string_view("rpl.cmd.").size());
  std::string out = fmt::format("\n---@class rpl.args.{}\n", key);
  std::size_t position = 0;
  for (const Param& param : command.params) {
    const std::string type = fmt::format("{}{}", to_string(param.type), param.repeated ? "[]" : "");
    out +=
        fmt::format("---@field {}? {} {}\n", underscored(param.name), type, one_line(param.help));
    if (param.kind == ParamKind::positional || param.kind == ParamKind::rest) {
      out += fmt::format("---@field [{}]? {}\n", ++position, to_string(param.type));
    }
  }
  out += "---@field trace? rpl.Trace|string the trace to work on\n";
  if (command.param("limit") == nullptr) out += "---@field limit? integer at most so many rows\n";
  if (!command.columns.empty()) {
    out += fmt::format("\n---@class rpl.row.{}\n", key) + columns_stub(command.columns);
    out +=
        fmt::format("\n---@class rpl.rows.{0}: rpl.Rows\n---@field [integer] rpl.row.{0}\n", key);
  }
  out += fmt::format("\n---@class rpl.result.{}: rpl.Result\n", key) + columns_stub(command.fields);
  if (!command.columns.empty()) out += fmt::format("---@field rows rpl.rows.{}\n", key);
  out += fmt::format("\n---{}\n---@class {}: rpl.Commands\n", command.summary, node);
  out += fmt::format("---@overload fun(args?: rpl.args.{0}): rpl.result.{0}\n", key);
  return out;
}

std::string node_stub(const Registry& registry, const std::vector<std::string>& words) {
  std::string name = "rpl.cmd";
  for (const std::string& word : words) name += "." + word;
  const Command* command = command_at(registry, words);
  std::string out = command != nullptr ? command_stub(name, *command)
                                       : fmt::format("\n---@class {}{}\n", name,
                                                     words.empty() ? "" : ": rpl.Commands");
  const auto next = words_after(registry, words);
  for (const std::string& word : next) out += fmt::format("---@field {} {}.{}\n", word, name, word);
  for (const std::string& word : next) {
    std::vector<std::string> deeper = words;
    deeper.push_back(word);
    out += node_stub(registry, deeper);
  }
  return out;
}

}  // namespace

std::string lua_stubs(const Registry& registry) {
  std::string out =
      "---@meta rpl\n-- Made by `rpl --emit-lua-stubs`: what a language server needs to know about "
      "rpl's Lua.\n";
  for (const ClassBinding* binding : all_classes()) out += class_stub(*binding);
  out += fields_stub(kParamDefinition) + fields_stub(kCommandDefinition);
  out += node_stub(registry, {});
  for (const ClassBinding* binding : all_modules()) out += module_stub(*binding);
  return out + "\nreturn rpl\n";
}

Status write_lua_stubs(const Registry& registry, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Errc::io, fmt::format("{}: {}", folder, error.message()));
  const std::filesystem::path place(folder);
  TRY(write_file((place / "rpl.lua").string(), lua_stubs(registry)));
  constexpr std::string_view kSettings =
      "{\n  \"runtime.version\": \"Lua 5.4\",\n  \"workspace.library\": [\".\"],\n"
      "  \"diagnostics.globals\": [\"rpl\"]\n}\n";
  return write_file((place / ".luarc.json").string(), kSettings);
}

}  // namespace rpl
